"""Position dicts with one thing wrong each, and what the sentence about it must name and quote."""

from __future__ import annotations

from typing import Any, NamedTuple

PIRAMIDE: dict[str, Any] = {
    "game": "piramide",
    "hands": {"A": "SAKQ HA D9 CT", "B": "SJT HKQ DA CA"},
    "contract": {"declarer": "A", "bid": 3, "trump": "H"},
}
ANTIKOZIRIS: dict[str, Any] = {
    "game": "antikoziris",
    "hands": {"A": "SA HT", "B": "SK HA", "C": "SQ DA"},
    "contract": {"declarer": "B", "bid": 2, "trump": "D"},
    "leader": "C",
    "won": {"A": 1, "B": 2, "C": 3},
}
ATSPEK: dict[str, Any] = {
    "game": "atspek",
    "trump": "H",
    "hands": {"A": "SA", "B": "S9 D7"},
    "piles": {"A": ["SK/H7", "D8"], "B": ["HQ/S8"]},
    "won": {"A": 5, "B": 7},
}
SIXTY_SIX: dict[str, Any] = {
    "game": "sixty_six",
    "trump": "H",
    "hands": {"A": "SAK HKQ9 D9", "B": "ST HT DAT CA9"},
    "stock": ["CJ", "DQ", "CQ", "HA"],
    "points": {"A": 20, "B": 25},
    "won": {"A": 1, "B": 3},
}
VELNIO: dict[str, Any] = {
    "game": "velnio_tuzinas",
    "hands": {"A": "SA S3 D7", "B": "H2 HT C5"},
    "stock": ["S4", "D9"],
    "trump": "D",
    "points": {"A": 3, "B": 5},
}
PLAIN: dict[str, Any] = {
    "game": "plain",
    "rules": {"ranks": "AKQJT987", "side": ["A", "C"]},
    "hands": {"A": "SA HT", "B": "SK HA", "C": "SQ DA", "D": "C8 C7"},
    "contract": {"declarer": "A", "trump": "NT"},
}
GOOD = [PIRAMIDE, ANTIKOZIRIS, ATSPEK, SIXTY_SIX, VELNIO, PLAIN]

DECK = "AKQJT98765432"
SHORT = " ".join(suit + DECK for suit in "SHD") + " C" + DECK[:-1]
"""51 cards."""


class Bad(NamedTuple):
    """A dict, the key that the sentence names, and what it quotes or says."""

    data: object
    key: str
    says: tuple[str, ...]


def bad(base: dict[str, Any], key: str, *says: str, **changes: object) -> Bad:
    """A good position with some keys changed."""
    return Bad(base | changes, key, says)


def nested(depth: int) -> Any:
    inner: Any = "SA"
    for _ in range(depth):
        inner = [inner]
    return inner


HANDS = PIRAMIDE["hands"]

MALFORMED: dict[str, Bad] = {
    # the whole
    "a list": Bad([PIRAMIDE], "", ("is not an object with a position's keys",)),
    "a number": Bad(7, "", ("7 is not an object",)),
    "a text": Bad("piramide", "", ("'piramide' is not an object",)),
    "null": Bad(None, "", ("None is not an object",)),
    "nothing": Bad({}, "game", ('the key "game" is missing',)),
    "no hands": Bad({"game": "piramide"}, "hands", ('the key "hands" is missing',)),
    "empty hands": bad(PIRAMIDE, "hands", "missing or empty", hands={}),
    "unknown key": bad(PIRAMIDE, "dealer", "'dealer' is not a key of Piramidė", "contract", dealer="A"),
    "another game's key": bad(PIRAMIDE, "stock", "'stock' is not a key of Piramidė", stock=[]),
    "upper case key": bad(PIRAMIDE, "Leader", "'Leader' is not a key", Leader="A"),
    # game, rules, notation
    "unknown game": bad(PIRAMIDE, "game", "'poker'", "atspek, piramide", game="poker"),
    "game of wrong type": bad(PIRAMIDE, "game", "7 is not a text", game=7),
    "unknown option": bad(PIRAMIDE, "rules.jokers", "'jokers'", "score_table", rules={"jokers": 2}),
    "unknown option value": bad(
        PIRAMIDE, "rules.score_table", "'steep'", "triangular or linear", rules={"score_table": "steep"}
    ),
    "option of wrong type": bad(PLAIN, "rules.beat", "1 is no value", "false or true", rules={"beat": 1}),
    "unknown preset": bad(SIXTY_SIX, "rules.preset", "'skat'", "schnapsen", rules="skat"),
    "preset of wrong type": bad(SIXTY_SIX, "rules.preset", "no preset 7", rules={"preset": 7}),
    "rules of wrong type": bad(SIXTY_SIX, "rules", "not 7", rules=7),
    "rules a list": bad(SIXTY_SIX, "rules", "not ['schnapsen']", rules=["schnapsen"]),
    "table of scores with a gap": bad(
        ANTIKOZIRIS, "rules.score_table", "is no value", rules={"score_table": {"4": [1, 2, 3, 4]}}
    ),
    "rank twice": bad(PLAIN, "rules.ranks", "'AAK'", rules={"ranks": "AAK"}),
    "no ranks": bad(PLAIN, "rules.ranks", "''", rules={"ranks": ""}),
    "side of nobody": bad(PLAIN, "rules.side", "[] is no value", rules={"side": []}),
    "side of everybody": bad(PLAIN, "rules.side", "every seat", rules={"side": ["A", "B", "C", "D"]}),
    "side without the declarer": bad(PLAIN, "rules.side", "declarer A", rules={"ranks": "AKQJT987", "side": ["B"]}),
    "unknown notation": bad(PIRAMIDE, "notation", "'fr'", '"en" or "lt"', notation="fr"),
    "notation of wrong type": bad(PIRAMIDE, "notation", "['en']", notation=["en"]),
    # seats
    "seat out of range": bad(PIRAMIDE, "seat", "'C'", "A B", seat="C"),
    "seat a number": bad(PIRAMIDE, "seat", "0 is not a seat", seat=0),
    "seat too long": bad(PIRAMIDE, "seat", "'AB'", seat="AB"),
    "leader out of range": bad(PIRAMIDE, "leader", "'D'", leader="D"),
    "leader sits out": bad(ANTIKOZIRIS, "leader", "D has no cards", hands=ANTIKOZIRIS["hands"] | {"D": ""}, leader="D"),
    "hand of a strange seat": bad(PIRAMIDE, "hands", "'D'", "A B", hands={"A": "SA", "D": "SK"}),
    "hand of no seat": bad(PIRAMIDE, "hands", "''", hands={"A": "SA", "": "SK"}),
    "hand twice": bad(PIRAMIDE, "hands", "a seat comes twice", hands={"A": "SA", "a": "SK"}),
    "too many hands": bad(PIRAMIDE, "hands", "not by 5", hands=dict.fromkeys("ABCDE", "SA")),
    "nine hands": bad(VELNIO, "hands", "'I'", hands=dict.fromkeys("ABCDEFGHI", "")),
    "one hand": bad(PIRAMIDE, "hands", "not by 1", hands={"A": "SA"}),
    "tricks of a strange seat": bad(PIRAMIDE, "won", "'C'", won={"C": 1}),
    "piles of a strange seat": bad(ATSPEK, "piles", "'X'", piles={"X": []}),
    # cards
    "no card": bad(PIRAMIDE, "hands.A", "'SAKX'", hands=HANDS | {"A": "SAKX HA D9 CT"}),
    "no suit": bad(PIRAMIDE, "hands.A", "'AK'", hands=HANDS | {"A": "AK HA D9 CT"}),
    "suit without rank": bad(PIRAMIDE, "hands.A", "'SAH'", hands=HANDS | {"A": "SAH"}),
    "card not in the deck": bad(PIRAMIDE, "hands.A", "'S2'", "A K Q J T 9", hands=HANDS | {"A": "S2 HAKQ D9 CT"}),
    "card twice in a hand": bad(PIRAMIDE, "hands.A", "SA twice", hands=HANDS | {"A": "SAA HA D9 CT ST"}),
    "card in two hands": bad(PIRAMIDE, "hands.B", "the card SA", "hands.A", hands=HANDS | {"B": "SAT HKQ DA CA"}),
    "card in hand and stock": bad(SIXTY_SIX, "stock", "the card SA", "hands.A", stock=["SA", "DQ", "CQ", "HA"]),
    "card twice in the stock": bad(SIXTY_SIX, "stock", "the card DQ", stock=["DQ", "DQ", "CQ", "HA"]),
    "card in hand and gone": bad(PIRAMIDE, "gone", "the card SA", gone="SA"),
    "card in two piles": bad(ATSPEK, "piles.B", "the card SK", piles={"A": ["SK/H7", "D8"], "B": ["HQ/SK"]}),
    "hand a number": bad(PIRAMIDE, "hands.A", "5 is not a text", hands=HANDS | {"A": 5}),
    "hand a list": bad(PIRAMIDE, "hands.B", "['SA']", hands=HANDS | {"B": ["SA"]}),
    "hand null": bad(PIRAMIDE, "hands.B", "None is not a text", hands=HANDS | {"B": None}),
    "hands a list": bad(PIRAMIDE, "hands", "is not an object", hands=["SA", "SK"]),
    "hands a text": bad(PIRAMIDE, "hands", "'SA' is not an object", hands="SA"),
    "gone unseen": bad(PIRAMIDE, "gone", "'SA ?'", "named cards", gone="SA ?"),
    "gone a number": bad(PIRAMIDE, "gone", "1 is not a text", gone=1),
    # counts
    "hands of two sizes": bad(PIRAMIDE, "hands", "A 6, B 5", hands=HANDS | {"B": "SJT HKQ DA"}),
    "hand too large": bad(PIRAMIDE, "hands.A", "A holds 7 cards", hands=HANDS | {"A": "SAKQ HA D9 CTJ"}),
    "deck of 51": Bad(
        {
            "game": "plain",
            "hands": dict(zip("ABCD", SHORT.split(), strict=True)),
            "contract": {"declarer": "A", "trump": "S"},
        },
        "hands",
        ("A 13, B 13, C 13, D 12",),
    ),
    "more unseen than left": bad(
        PLAIN, "hands", "unseen, but only", hands=dict.fromkeys("ABCD", "? " * 10), rules={"ranks": "AKQJT987"}
    ),
    "hand sits out": bad(ANTIKOZIRIS, "hands.D", "D sits out", hands=ANTIKOZIRIS["hands"] | {"D": "CA CK"}),
    "too many tricks": bad(PIRAMIDE, "won", "6 cards in each hand", won={"A": 1}),
    "negative tricks": bad(PIRAMIDE, "won.A", "-1", won={"A": -1}),
    "half a trick": bad(PIRAMIDE, "won.A", "0.5 is not a whole number", won={"A": 0.5}),
    "true tricks": bad(PIRAMIDE, "won.A", "True is not a whole number", won={"A": True}),
    "huge tricks": bad(PIRAMIDE, "won.A", "1000000000000", won={"A": 10**30}),
    "tricks a list": bad(PIRAMIDE, "won", "[1, 2] is not an object", won=[1, 2]),
    "tricks as text": bad(PIRAMIDE, "won.A", "'1' is not a whole number", won={"A": "1"}),
    "endless tricks": bad(PIRAMIDE, "won.A", "inf", won={"A": float("inf")}),
    "no number of tricks": bad(PIRAMIDE, "won.A", "nan", won={"A": float("nan")}),
    "match as text": bad(PIRAMIDE, "match.B", "'x'", match={"B": "x"}),
    "match huge": bad(PIRAMIDE, "match.B", "10001", match={"B": 10001}),
    "points impossible": bad(SIXTY_SIX, "points", "[200, 200]", points={"A": 200, "B": 200}),
    "points without a trick": bad(SIXTY_SIX, "points.A", "A has 20 points but no trick", won={"A": 0, "B": 3}),
    "pending odd": bad(SIXTY_SIX, "pending.A", "30 cannot be pending", pending={"A": 30}, won={}, points={}),
    "points above the goal": bad(VELNIO, "points.A", "17 is no score", points={"A": 17}),
    "two winners": bad(VELNIO, "points", "A 13, B 14", points={"A": 13, "B": 14}),
    "slots too many": bad(PIRAMIDE, "slots.0", "not 2", slots={"0": 2}),
    "slots of seven": bad(PIRAMIDE, "slots", "'7'", "0 to 6", slots={"7": 1}),
    "slots all filled": Bad({"game": "piramide", "hands": HANDS, "slots": {}}, "slots", ("the pyramid is full",)),
    # contract, trump, stock, piles
    "contract a text": bad(PIRAMIDE, "contract", "'3H' is not an object", contract="3H"),
    "contract without declarer": bad(PIRAMIDE, "contract.declarer", "lacks its declarer", contract={"trump": "H"}),
    "contract without trump": bad(PIRAMIDE, "contract.trump", "lacks its trump", contract={"declarer": "A"}),
    "contract with more": bad(PIRAMIDE, "contract", "'x'", contract={"declarer": "A", "trump": "H", "x": 1}),
    "contract of a strange seat": bad(
        PIRAMIDE, "contract.declarer", "'F'", contract={"declarer": "F", "bid": 1, "trump": "H"}
    ),
    "contract too high": bad(PIRAMIDE, "contract.bid", "7", contract={"declarer": "A", "bid": 7, "trump": "H"}),
    "contract without bid": bad(PIRAMIDE, "contract.bid", "None", contract={"declarer": "A", "trump": "H"}),
    "contract of five": bad(ANTIKOZIRIS, "contract.bid", "5", contract={"declarer": "A", "bid": 5, "trump": "H"}),
    "no trumps not allowed": bad(
        ANTIKOZIRIS, "contract.trump", "NT", contract={"declarer": "A", "bid": 2, "trump": "NT"}
    ),
    "trump of no suit": bad(PIRAMIDE, "contract.trump", "'X'", contract={"declarer": "A", "bid": 2, "trump": "X"}),
    "no contract": Bad({"game": "plain", "hands": PLAIN["hands"]}, "contract", ("plain needs a contract",)),
    "half hands without a contract": Bad(
        {"game": "piramide", "hands": {"A": "SA", "B": "SK"}}, "", ("without a contract nothing has been played",)
    ),
    "trump a number": bad(SIXTY_SIX, "trump", "1 is not a text", trump=1),
    "trump not the indicator's": bad(SIXTY_SIX, "trump", "S", "expected H", trump="S"),
    "no trump": Bad({k: v for k, v in (SIXTY_SIX | {"stock": []}).items() if k != "trump"}, "trump", ("missing",)),
    "stock a text": bad(SIXTY_SIX, "stock", "'CJ DQ' is not a list", stock="CJ DQ"),
    "stock of numbers": bad(SIXTY_SIX, "stock", "1 is not a text", stock=[1, 2]),
    "stock odd": bad(SIXTY_SIX, "stock", "the stock has 3 cards", stock=["DQ", "CQ", "HA"]),
    "stock of no round": bad(VELNIO, "stock", "the stock has 45 cards", stock=["?"] * 44 + ["D9"]),
    "stock missing": Bad({k: v for k, v in VELNIO.items() if k != "stock"}, "stock", ("needs the stock",)),
    "stock of two cards in one": bad(SIXTY_SIX, "stock", "'CJ DQ' is not one card", stock=["CJ DQ", "HA"]),
    "indicator unseen": bad(VELNIO, "stock", "everyone sees", stock=["S4", "?"]),
    "closed exhausted stock": bad(SIXTY_SIX, "closed_by", "exhausted", stock=[], closed_by="A"),
    "pile of three": bad(ATSPEK, "piles.A", "'SK/H7/D8'", piles={"A": ["SK/H7/D8"], "B": []}),
    "pile of none": bad(ATSPEK, "piles.A", "''", piles={"A": ["", "D8"], "B": ["HQ/S8"]}),
    "pile a number": bad(ATSPEK, "piles.A", "4 is not a text", piles={"A": [4], "B": []}),
    "piles a text": bad(ATSPEK, "piles.A", "'SK' is not a list", piles={"A": "SK"}),
    "piles a list": bad(ATSPEK, "piles", "is not an object", piles=["SK"]),
    "seats of two sizes": bad(ATSPEK, "hands", "A 3, B 4", piles={"A": ["SK/H7"], "B": ["HQ/S8"]}),
    # plays
    "illegal play": bad(PIRAMIDE, "plays[1]", "'HQ' is not legal for B; legal were SJ, ST", plays=["SA", "HQ"]),
    "play of another's card": bad(PIRAMIDE, "plays[0]", "'SJ' is not legal for A; legal were SA, SK", plays=["SJ"]),
    "play after the end": bad(
        PLAIN | {"hands": {"A": "SA", "B": "SK", "C": "SQ", "D": "C8"}},
        "plays[4]",
        "'S7' comes after the deal is over",
        plays=["SA", "SK", "SQ", "C8", "S7"],
    ),
    "no move": bad(PIRAMIDE, "plays[0]", "'knock' is not a move", plays=["knock"]),
    "empty move": bad(PIRAMIDE, "plays[0]", "'' is not a move", plays=[""]),
    "move a number": bad(PIRAMIDE, "plays[0]", "3 is not a text", plays=[3]),
    "move a list": bad(PIRAMIDE, "plays[0]", "['SA'] is not a text", plays=[["SA"]]),
    "plays a text": bad(PIRAMIDE, "plays", "'SA' is not a list", plays="SA"),
    "bid in the play": bad(PIRAMIDE, "plays[0]", "'bid 3 H' is not legal", plays=["bid 3 H"]),
    "bid too weak": Bad(
        {
            "game": "antikoziris",
            "hands": {"A": "SAKQJT9 HAK", "B": "HQJT9 DAKQJ", "C": "DT9 CAKQJT9"},
            "plays": ["bid 2", "bid 3"],
        },
        "plays[1]",
        ("'bid 3' is not legal for B; legal were bid 1, bid 8, bid 0, pass",),
    ),
    "bid of a word": bad(PIRAMIDE, "plays[0]", "'bid three'", plays=["bid three"]),
    "bid without end": bad(PIRAMIDE, "plays[0]", "is not a move", plays=["bid " + "9" * 5000]),
    "marriage of nobody": bad(SIXTY_SIX, "plays[0]", "'marriage SQ' is not legal", plays=["marriage SQ"]),
    "claim in analysis": bad(SIXTY_SIX, "plays[0]", "'claim' is not legal", plays=["claim"]),
    "tuck on lead": bad(VELNIO, "plays[0]", "'tuck SA' is not legal for A", plays=["tuck SA"]),
    # size
    "deep nesting": bad(PIRAMIDE, "plays[0]", "is not a text", plays=[nested(50)]),
    "long text": bad(PIRAMIDE, "game", "there is no game", game="x" * 100_000),
    "long holding": bad(PIRAMIDE, "hands.A", "twice", hands=HANDS | {"A": "SA " * 10_000}),
    "many plays": bad(PIRAMIDE, "plays[0]", "is not a move", plays=["x"] * 10_000),
}
