"""The user interface's languages: English as it stands in the code, and Lithuanian for the terms of the games.

A phrase's English template is the key to its translation; the originals' own words are used, chosen so that no number
changes the form of a word.
"""

from __future__ import annotations

from typing import Final

from .game import Phrase

LANGUAGES: Final = ("en", "lt")

_LITHUANIAN: Final = {
    # values in words
    "{seat} scores {value} points": "{seat} gauna taškų: {value}",
    "{seat}: {value} {unit}": "{seat}: {value} {unit}",
    "declarer {seat} takes {value} of 8 tricks: contract {bid} made, {points} points": (
        "žaidžiantysis {seat} paima kirčių: {value} iš 8; žaidimas „{bid}“ tesėtas, taškų: {points}"
    ),
    "declarer {seat} takes {value} of 8 tricks: contract {bid} beaten, {points} points": (
        "žaidžiantysis {seat} paima kirčių: {value} iš 8; žaidimas „{bid}“ netesėtas, taškų: {points}"
    ),
    "declarer {seat} takes exactly {bid} tricks: {value} points": (
        "skelbiantysis {seat} paima kirčių tiksliai: {bid}; taškų: {value}"
    ),
    "declarer {seat} is {off} off his {bid} tricks: {value} points": (
        "skelbiantysis {seat} skelbė {bid}, apsiriko kirčių: {off}; taškų: {value}"
    ),
    "{seat} takes {value} of {total} tricks: {points} points": (
        "{seat} paima kirčių: {value} iš {total}; taškų: {points}"
    ),
    "{side} takes {value} of {total} tricks": "{side} paima kirčių: {value} iš {total}",
    "{side} takes {value} tricks: contract {bid} made": "{side} paima kirčių: {value}; žaidimas „{bid}“ tesėtas",
    "{side} takes {value} tricks: contract {bid} down {short}": (
        "{side} paima kirčių: {value}; žaidimas „{bid}“ netesėtas, trūksta: {short}"
    ),
    "{seat} wins the deal and covers eyes: {eyes}": "{seat} laimi ir užsidengia akių: {eyes}",
    "{seat} loses the deal, eyes against: {eyes}": "{seat} pralaimi, varžovams akių: {eyes}",
    "{seat} ends {value} ahead of the best opponent": "{seat} lenkia geriausią varžovą taškais: {value}",
    "{seat} ends {value} behind the best opponent": "{seat} atsilieka nuo geriausio varžovo taškais: {value}",
    "{seat} ends level with the best opponent": "{seat} turi taškų tiek pat, kiek geriausias varžovas",
    # the analysis
    "{seat} to move": "eina {seat}",
    "{seat} to speak": "skelbia {seat}",
    "the deal is over": "padalijimas baigtas",
    "values for {seat}": "vertinama žaidėjui {seat}",
    "move": "ėjimas",
    "line": "tęsinys",
    "in words": "žodžiais",
    "trick": "kirtis",
    "proved exactly": "įrodyta tiksliai",
    "nodes": "mazgai",
    "layouts": "išsidėstymai",
    "estimated after tricks": "toliau įvertinta, kirčių",
    "interrupted": "nutraukta",
    "solved in": "išspręsta",
    "wins": "pavyksta",
    "overall": "iš viso",
    "best for the whole pyramid": "geriausia visai piramidei",
    "declarer": "žaidžiantysis",
    "defenders": "vistuojantieji",
    "no play lost anything": "nė vienas ėjimas nieko neprarado",
    "lost": "prarasta",
    "best": "geriausia",
    "lost as known": "prarasta žinant savo",
    "best as known": "geriausia žinant savo",
    # a match at the terminal
    "Type a move or its number; help lists what else there is.": "Rašykite ėjimą ar jo numerį; help – kas dar galima.",
    "your move": "jūsų ėjimas",
    "The match is over. Winner: {winners}": "Partija baigta. Laimėtojas: {winners}",
    "There was no time to tell.": "Neužteko laiko.",
    "You have not moved in this deal.": "Šiame padalijime dar nėjote.",
    "Saved to {path}.": "Įrašyta: {path}.",
    "{move}: {value} {unit} on average over {layouts} layouts, and it succeeds in {wins} of them.": (
        "{move}: vidutiniškai {value} ({unit}), išsidėstymų: {layouts}, iš jų pavyksta {wins}."
    ),
    "The next best, {move}, is worse by {loss}.": "Antras pagal gerumą, {move}, blogesnis: {loss}.",
    "{move} lost {loss} {unit} by what you could know; best was {best}.": (
        "{move} prarado {loss} ({unit}), sprendžiant iš to, ką galėjote žinoti; geriausia buvo {best}."
    ),
    "{move} was best by what you could know.": "{move} – geriausia iš to, ką galėjote žinoti.",
    "what the engine would do, and why": "ką darytų programa ir kodėl",
    "what your last move lost, by what you could know": "ką prarado jūsų paskutinis ėjimas",
    "take your last move back": "atsiimti paskutinį ėjimą",
    "write the match to a file": "įrašyti partiją į failą",
    "go on with a saved match": "tęsti įrašytą partiją",
    "this list": "šis sąrašas",
    "leave": "baigti",
    # matches and tournaments between players
    "deal {deal:3}  {seat}: player {first}  scores {scores}  match {total}": (
        "padalijimas {deal:3}  {seat}: žaidėjas {first}  taškai {scores}  partija {total}"
    ),
    "to be continued after {deals} deals; seed {seed}": "bus tęsiama; padalijimų: {deals}; sėkla {seed}",
    "nobody has won after {deals} deals; seed {seed}": "niekas nelaimėjo; padalijimų: {deals}; sėkla {seed}",
    "won by {winners} after {deals} deals; seed {seed}": "laimėjo {winners}; padalijimų: {deals}; sėkla {seed}",
    "player {number} ({name})": "žaidėjas {number} ({name})",
    "player": "žaidėjas",
    "against": "prieš",
    "rating": "reitingas",
    "deals": "padalijimai",
    "matches": "partijos",
    "lead": "persvara",
    "share": "dalis",
    # units
    "tricks": "kirčiai",
    "score": "taškai",
    "eyes": "akys",
    "margin": "skirtumas",
    "points": "taškai",
    # the table
    "players": "žaidėjai",
    "hands": "ranka",
    "piles": "ant stalo",
    "stock": "fondas",
    "trump": "koziriai",
    "anti-trump": "antikoziriai",
    "no trumps": "be kozirių",
    "won": "kirčiai",
    "pending": "laukia kirčio",
    "match": "partija",
    "contract": "žaidimas",
    "leader": "pradeda",
    "closed_by": "užvertė",
    "slots": "liko skelbti",
    "gone": "išėjusios",
    "seat": "žiūri",
    "first": "pirmosios dvi",
    "rules": "taisyklės",
    # moves
    "tuck": "pakiša",
    "marriage": "pora",
    "exchange": "keičia",
    "close": "užverčia",
    "bid": "skelbia",
    "pass": "pasas",
    "claim": "Gana!",
}


def term(text: str, language: str) -> str:
    """A word or template in a language; English where it has no translation."""
    return _LITHUANIAN.get(text, text) if language == "lt" else text


def sentence(phrase: Phrase, language: str) -> str:
    """A phrase in a language."""
    return term(phrase.template, language).format(**phrase.values)
