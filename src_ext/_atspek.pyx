# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The kernel of Atspėk: two to four players, hands and piles, every card open; one seat (the pov) against all others.

Row (int64[40]): 0..3 hands; 4..27 piles, word 4 + 6*seat + i: card on top | card under it << 8 (255: none), -1 no pile;
28..30 cards of the current trick in order played, -1 none; 31 its leader; 32 players; 33 trump suit; 34..37 tricks won by
seat; 38 the pov; 39 spare, 0. The value is the number of tricks the pov has at the end, those already won included.

The search works on renamed positions: trumps are lane 0, and with more than two players the pov is seat 0. A seat's cards
are two holdings: `held`, all it has still to play, and `avail`, the part of it that can be played now. A card is `linked`
while another lies under it. Which card lies under which never changes, so these holdings are the whole position.
"""

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint64_t

cdef enum:
    WIDTH = 40
    MAX_MOVES = 16
    MAX_LINE = 36
    MAX_PLAYERS = 4
    MAX_PILES = 6           # of a seat
    NO_CARD = -1
    NOTHING_UNDER = 255
    LANES = 64              # bits of a holding


cdef struct State:
    uint64_t held[4]        # cards a seat has still to play
    uint64_t avail[4]       # those of them it can play now: hand and tops of piles
    int8_t under[64]        # the card under a card, or NO_CARD
    int8_t trick[4]         # cards of the current trick in the order played
    int8_t played           # how many there are
    int8_t leader           # seat that led, or is to lead
    int8_t players
    int8_t trump            # suit
    int8_t won[4]           # tricks by seat
    int8_t pov              # seat whose tricks are counted


cdef struct Memory:
    uint64_t under[64]      # holding of the card under a card (0: none), renamed as the search names cards
    uint64_t linked         # cards with a card under them at the root
    int generation          # of table entries: one more for each root


include "_search.pxi"


cdef extern from *:
    """
    #define SEPARATORS 0x8000800080008000ull
    #define TRUMPS 0xffffull
    """
    const uint64_t SEPARATORS     # one bit above the cards of each suit
    const uint64_t TRUMPS         # lane 0: where renamed positions have their trumps


# ---- rules ----

cdef inline uint64_t bit(int card) noexcept nogil:
    return <uint64_t>1 << card


cdef inline uint64_t lane_of(int card) noexcept nogil:
    """All cards of the suit of a card."""
    return TRUMPS << (card & 48)


cdef inline uint64_t above(int card) noexcept nogil:
    """Everything numbered higher than a card, whatever the suit."""
    return ~((<uint64_t>2 << card) - 1)


cdef inline bint beats(int card, int best, int trump) noexcept nogil:
    if card >> 4 == best >> 4:
        return card > best
    return card >> 4 == trump


cdef inline uint64_t playable(uint64_t avail, uint64_t led, uint64_t trumps) noexcept nogil:
    """Follow, else trump, else anything. `led`: the lane of the suit led."""
    return avail & led or avail & trumps or avail


cdef inline int actor(State* state) noexcept nogil:
    return (state.leader + state.played) % state.players


cdef inline int holder(State* state) noexcept nogil:
    """Which card of the trick, by order played, holds it so far."""
    cdef int i, best = 0
    for i in range(1, state.played):
        if beats(state.trick[i], state.trick[best], state.trump):
            best = i
    return best


cdef void apply(State* state, uint64_t code) noexcept nogil:
    cdef int best, seat = actor(state), card = lowest64(code)
    state.held[seat] ^= code
    state.avail[seat] ^= code
    if state.under[card] != NO_CARD:
        state.avail[seat] |= bit(state.under[card])
    state.trick[state.played] = card
    state.played += 1
    if state.played == state.players:
        best = (state.leader + holder(state)) % state.players
        state.leader = best
        state.won[best] += 1
        state.played = 0


# ---- what _search.pxi asks for ----

cdef inline bint is_card(int64_t card, int players) noexcept nogil:
    return 0 <= card < 64 and (card & 15) < (8 if players == 2 else 9)


cdef const char* check_cards(const int64_t* row, int players, uint64_t* seen) noexcept nogil:
    """Every card is one, and there once."""
    cdef int64_t word, under
    cdef uint64_t deck = <uint64_t>0x00ff00ff00ff00ff if players == 2 else <uint64_t>0x01ff01ff01ff01ff
    cdef int i
    for i in range(MAX_PLAYERS):
        if <uint64_t>row[i] & ~deck:
            return "a hand holds bits that are no cards of this deck"
        if <uint64_t>row[i] & seen[0]:
            return "two hands hold the same card"
        seen[0] |= row[i]
    for i in range(MAX_PLAYERS * MAX_PILES):
        word = row[4 + i]
        if word == NO_CARD:
            continue
        under = word >> 8
        if not is_card(word & 255, players) or not (under == NOTHING_UNDER or is_card(under, players)):
            return "a pile holds something that is no card of this deck"
        if bit(word & 255) & seen[0]:
            return "a card of a pile is there twice"
        seen[0] |= bit(word & 255)
        if under != NOTHING_UNDER:
            if bit(under) & seen[0]:
                return "a card under a pile is there twice"
            seen[0] |= bit(under)
    return NULL


cdef const char* check(const int64_t* row) noexcept nogil:
    cdef uint64_t seen = 0
    cdef const char* wrong
    cdef int64_t word
    cdef int i, j, piles, cards, won = 0, played = 0, size = 0, most
    cdef int players = row[32]
    if row[32] < 2 or row[32] > MAX_PLAYERS:
        return "there must be 2 to 4 players"
    if row[31] < 0 or row[31] >= players:
        return "the leader must be one of the players"
    if row[33] < 0 or row[33] > 3:
        return "the trump suit must be 0 to 3"
    if row[38] < 0 or row[38] >= players:
        return "the pov must be one of the players"
    if row[39] != 0:
        return "the spare word must be 0"
    wrong = check_cards(row, players, &seen)
    if wrong != NULL:
        return wrong
    for i in range(3):
        if row[28 + i] == NO_CARD:
            continue
        if i > played:
            return "the trick has a gap"
        if not is_card(row[28 + i], players):
            return "the trick holds something that is no card of this deck"
        if bit(row[28 + i]) & seen:
            return "a card of the trick is there twice"
        seen |= bit(row[28 + i])
        played += 1
    if played >= players:
        return "the trick has too many cards"
    most = 16 if players == 2 else 36 // players
    for i in range(MAX_PLAYERS):
        piles = 0
        cards = popcount64(row[i])
        for j in range(MAX_PILES):
            word = row[4 + MAX_PILES * i + j]
            if word != NO_CARD:
                piles += 1
                cards += 1 if word >> 8 == NOTHING_UNDER else 2
        if i >= players:
            if cards or row[34 + i]:
                return "a seat beyond the players has cards or tricks"
            continue
        if piles > (6 if players == 2 else 12 // players):
            return "a seat has more piles than it can have"
        if (i - row[31] + players) % players < played:
            cards += 1
        if i > 0 and cards != size:
            return "the seats have not equally many cards"
        size = cards
        if row[34 + i] < 0 or row[34 + i] > most:
            return "the tricks won must be 0 to the number of tricks in a deal"
        won += row[34 + i]
    if size > most:
        return "a seat has more cards than a deal gives it"
    if size + won > most:
        return "the tricks won and those to come are more than a deal has"
    return NULL


cdef void unpack(const int64_t* row, State* state) noexcept nogil:
    cdef int seat, i, top, under
    cdef int64_t word
    memset(state, 0, sizeof(State))
    memset(state.under, NO_CARD, sizeof(state.under))
    for seat in range(MAX_PLAYERS):
        state.held[seat] = state.avail[seat] = row[seat]
        state.won[seat] = row[34 + seat]
        for i in range(MAX_PILES):
            word = row[4 + MAX_PILES * seat + i]
            if word == NO_CARD:
                continue
            top = word & 255
            under = word >> 8
            state.avail[seat] |= bit(top)
            state.held[seat] |= bit(top)
            if under != NOTHING_UNDER:
                state.held[seat] |= bit(under)
                state.under[top] = under
    for i in range(3):
        if row[28 + i] != NO_CARD:
            state.trick[i] = row[28 + i]
            state.played += 1
    state.leader = row[31]
    state.players = row[32]
    state.trump = row[33]
    state.pov = row[38]


cdef int legal(State* state, uint64_t* codes) noexcept nogil:
    cdef uint64_t left = state.avail[actor(state)], suit
    cdef int n = 0, card
    if state.played:
        left = playable(left, lane_of(state.trick[0]), TRUMPS << (16 * state.trump))
    while left:
        suit = left & lane_of(lowest64(left))
        left &= ~suit
        while suit:
            card = highest64(suit)
            suit ^= bit(card)
            codes[n] = bit(card)
            n += 1
    return n


cdef int twin(State* state, const uint64_t* codes, int i) noexcept nogil:
    """A higher card of the suit when nobody else has one between, neither in sight, nor face down, nor on the trick, and
    nothing lies under either of the two: swapping their names gives the same deal. The seat's own cards between do not
    matter, since two cards of a seat never meet in a trick."""
    cdef uint64_t others = 0
    cdef int j, card = lowest64(codes[i]), seat = actor(state)
    if state.under[card] != NO_CARD:
        return -1
    for j in range(MAX_PLAYERS):
        if j != seat:
            others |= state.held[j]
    for j in range(state.played):
        others |= bit(state.trick[j])
    for j in range(i - 1, -1, -1):
        if not codes[j] & lane_of(card) or others & (codes[j] - codes[i]):
            return -1
        if state.under[lowest64(codes[j])] == NO_CARD:
            return j
    return -1


cdef bint maximising(State* state) noexcept nogil:
    return actor(state) == state.pov


cdef int value(State* state) noexcept nogil:
    return state.won[state.pov]


cdef void span(State* state, int* low, int* high) noexcept nogil:
    low[0] = state.won[state.pov]
    high[0] = low[0] + popcount64(state.held[actor(state)])


cdef int guess(Search* search, State* state) noexcept nogil:
    """Its share of the high cards and trumps, as tricks. """
    cdef int low, high
    span(state, &low, &high)
    return (low + high) // 2


cdef inline int renamed(int card, int trump) noexcept nogil:
    """Trumps change places with lane 0."""
    if card >> 4 == trump:
        return card & 15
    if card >> 4 == 0:
        return card | trump << 4
    return card


cdef uint64_t renamed_holding(uint64_t cards, int trump) noexcept nogil:
    cdef int shift = 16 * trump
    cdef uint64_t swapped = (cards ^ cards >> shift) & TRUMPS
    return cards if trump == 0 else cards ^ swapped ^ swapped << shift


cdef void fresh(Search* search, State* root) noexcept nogil:
    cdef int card, name
    cdef Memory* memory = &search.memory
    memory.linked = 0
    memory.generation = (memory.generation + 1) & 63
    memset(memory.under, 0, sizeof(memory.under))
    for card in range(LANES):
        if root.under[card] != NO_CARD:
            name = renamed(card, root.trump)
            memory.under[name] = bit(renamed(root.under[card], root.trump))
            memory.linked |= bit(name)


# ---- the table ----

# An entry says of a trick-start position how many of the tricks to come its first player takes (two players: the leader;
# else: the pov). The key is exact, by construction: it holds in full, for each suit, which seat owns the cards in play from
# the lowest to the highest, and for each linked card of each seat in which *block* it is and in which the card under it. A
# block is a run of cards of one seat with no other seat's card in play between them (face-down cards are in play). Cards of
# a block are interchangeable, whatever their ranks, so positions with equal keys are the same but for names.
#
#   key[0]  lengths of the suits, 4 x 4 bits | low bit of the owners, 36 bits
#   key[1]  links, 6 x 10 bits: (block of the top card + 1) | block of the card under it << 5; 0: none
#   key[2]  the next 6 links; each seat has 12 / players of the 12 places
#   key[3]  high bit of the owners, 36 bits | leader << 36 | 1 << 38 with more than two players | what is known << 40:
#           low 5 bits, high 5 bits, best card 6 bits, generation 6 bits
# A block is numbered by how many cards of others (and suits) lie below it: at most 27 + 3.

cdef struct Entry:
    uint64_t key[4]


cdef struct Known:
    int low                 # tricks the first player takes at least
    int high                # and at most
    int card                # that proved best last time, or 0


cdef inline uint64_t links(Search* search, uint64_t avail, uint64_t others) noexcept nogil:
    """The links of a seat, packed from the lowest top card up; `others`: cards in play of other seats and SEPARATORS."""
    cdef uint64_t packed = 0, top, left = avail & search.memory.linked
    cdef int shift = 0
    while left:
        top = left & (0 - left)
        packed |= (<uint64_t>popcount64(others & (top - 1)) + 1
                   | <uint64_t>popcount64(others & (search.memory.under[lowest64(top)] - 1)) << 5) << shift
        shift += 10
        left ^= top
    return packed


cdef inline uint64_t lengths(uint64_t inplay) noexcept nogil:
    return (<uint64_t>popcount64(inplay & TRUMPS) | <uint64_t>popcount64(inplay >> 16 & TRUMPS) << 4
            | <uint64_t>popcount64(inplay >> 32 & TRUMPS) << 8 | <uint64_t>popcount64(inplay >> 48) << 12)


cdef enum:
    KNOWN = 40              # bit of key[3] where what is known begins

cdef inline Entry* slot(Search* search, Entry* key) noexcept nogil:
    """The pair of entries where a key can be."""
    cdef uint64_t mixed = mix64(key.key[0] * 0x9e3779b97f4a7c15u ^ key.key[1] * 0xc2b2ae3d27d4eb4fu
                                ^ key.key[2] * 0x165667b19e3779f9u ^ key.key[3] * 0x27d4eb2f165667c5u)
    return <Entry*>(search.table + (mixed & (search.table_bytes - 1) & ~<uint64_t>63))


cdef inline bint same(Entry* entry, Entry* key) noexcept nogil:
    return (entry.key[0] == key.key[0] and entry.key[1] == key.key[1] and entry.key[2] == key.key[2]
            and not (entry.key[3] ^ key.key[3]) & ((<uint64_t>1 << KNOWN) - 1))


cdef inline void read_entry(Entry* entry, Known* known) noexcept nogil:
    cdef uint64_t packed = entry.key[3] >> KNOWN
    known.low = packed & 31
    known.high = packed >> 5 & 31
    known.card = packed >> 10 & 63


cdef inline bint probe(Entry* pair, Entry* key, Known* known) noexcept nogil:
    """Fills in what is known; false where nothing is."""
    if same(&pair[0], key):
        read_entry(&pair[0], known)
        return True
    if same(&pair[1], key):
        read_entry(&pair[1], known)
        return True
    return False


cdef inline void store(Search* search, Entry* pair, Entry* key, Known* known) noexcept nogil:
    """In the place of the same position; else of the one from another root, else of the smaller one."""
    cdef int chosen, generation = search.memory.generation
    key.key[3] = (key.key[3] & ((<uint64_t>1 << KNOWN) - 1)
                  | (<uint64_t>known.low | <uint64_t>known.high << 5 | <uint64_t>known.card << 10
                     | <uint64_t>generation << 16) << KNOWN)
    if same(&pair[0], key):
        chosen = 0
    elif same(&pair[1], key):
        chosen = 1
    else:
        chosen = 1
    pair[chosen] = key[0]


# ---- ordering ----

cdef enum:
    FEATURES = 8

cdef int32_t lead_weights[9][FEATURES]
cdef int32_t reply_weights[7][FEATURES]
cdef int32_t many_weights[21][FEATURES]


cdef inline uint64_t lowest_of_blocks(uint64_t cards, uint64_t others) noexcept nogil:
    """The lowest of `cards` in each block. In each stretch up to and with a bit of others or SEPARATORS, subtracting one
    at the start borrows as far as the lowest bit."""
    cdef uint64_t ends = others | SEPARATORS
    cdef uint64_t stretches = cards | ends
    return cards & ~(stretches - (ends << 1 | 1))


cdef inline int count_above(uint64_t cards, int card) noexcept nogil:
    """How many of `cards` beat a card in its suit."""
    return popcount64(cards & lane_of(card) & above(card))


cdef inline int weigh(Search* search, const int32_t* weights, int card, uint64_t mine, uint64_t theirs) noexcept nogil:
    cdef uint64_t inplay = mine | theirs, suit = lane_of(card), under = search.memory.under[card]
    cdef int score, below
    score = (weights[0] + weights[1] * count_above(inplay, card) + weights[2] * popcount64(mine & suit)
             + weights[3] * popcount64(theirs & suit))
    if under:
        below = lowest64(under)
        score += weights[4] + weights[5] * (below < 16) + weights[6] * count_above(inplay, below)
        if not theirs & lane_of(below) & above(below):
            score += weights[7]
    return score


cdef inline int lead_kind(int card, uint64_t reach) noexcept nogil:
    """What a lead can come to, by the cards the other can play."""
    cdef uint64_t suit = lane_of(card), follow = reach & suit
    cdef int kind
    if not follow:
        kind = 3 if reach & TRUMPS else 4
    elif not follow & above(card):
        kind = 0
    elif follow & ~above(card):
        kind = 1
    else:
        kind = 2
    return kind + 5 if card < 16 and kind < 4 else kind


cdef inline int reply_kind(int card, int lead) noexcept nogil:
    if card >> 4 == lead >> 4:
        return (0 if card > lead else 1) + (4 if lead < 16 else 0)
    return 2 if card < 16 else 3


# ---- two players ----

cdef inline int sure_trumps(uint64_t mine, uint64_t theirs) noexcept nogil:
    """Tricks that trumps win whatever happens: each trump of the other spoils at most one lower trump."""
    cdef uint64_t top, left = (mine | theirs) & TRUMPS
    cdef int spoilers = 0, sure = 0
    while left:
        top = bit(highest64(left))
        left ^= top
        if theirs & top:
            spoilers += 1
        elif spoilers:
            spoilers -= 1
        else:
            sure += 1
    return sure


cdef inline int cashable(uint64_t held, uint64_t avail, uint64_t theirs, uint64_t reach) noexcept nogil:
    """Side-suit tricks the leader can take at once, one after the other: cards above all that the other has, as long as
    he must follow, or all of them when he has no trump."""
    cdef uint64_t mine, other
    cdef int suit, winners, follows, total = 0
    cdef bint trumpless = not theirs & TRUMPS
    for suit in range(1, 4):
        mine = avail >> 16 * suit & TRUMPS
        if not mine:
            continue
        other = theirs >> 16 * suit & TRUMPS
        if other:
            mine &= above(highest64(other))
        winners = popcount64(mine)
        if not trumpless:
            follows = popcount64(reach >> 16 * suit & TRUMPS)
            winners = min(winners, follows)
        total += winners
    return total


cdef inline bint wins(int card, int lead) noexcept nogil:
    """Whether a reply takes a trick, trumps being lane 0."""
    return card > lead if card >> 4 == lead >> 4 else card < 16


cdef inline int next_best(int32_t* order, int n, int i) noexcept nogil:
    """Brings the largest of order[i:n] to place i; its card."""
    cdef int j, best = i
    cdef int32_t top
    for j in range(i + 1, n):
        if order[j] > order[best]:
            best = j
    top = order[best]
    order[best] = order[i]
    order[i] = top
    return top & 63


cdef bint answered(Search* search, int lead, uint64_t held, uint64_t avail, uint64_t theirs, uint64_t reach,
                   int need) noexcept nogil:
    """After a lead, whether the leader takes at least `need` tricks, this one included, whatever the reply. `held` and
    `avail` are what the leader has left, `theirs` and `reach` what the other has."""
    cdef uint64_t moves, card_bit, suit = lane_of(lead)
    cdef int32_t order[MAX_MOVES]
    cdef int i, card, left, n = 0
    cdef uint64_t others = held | bit(lead)
    left = popcount64(held)
    moves = playable(reach, suit, TRUMPS)
    moves = lowest_of_blocks(moves & ~search.memory.linked, others) | moves & search.memory.linked
    while moves:
        card = lowest64(moves)
        moves &= moves - 1
        order[n] = weigh(search, reply_weights[reply_kind(card, lead)], card, theirs, others) * 64 + card
        n += 1
    for i in range(n):
        card = next_best(order, n, i)
        card_bit = bit(card)
        if wins(card, lead):
            if takes(search, theirs ^ card_bit, reach ^ card_bit | search.memory.under[card], held, avail,
                     left - need + 1):
                return False
        elif not takes(search, held, avail, theirs ^ card_bit, reach ^ card_bit | search.memory.under[card], need - 1):
            return False
    return True


cdef bint takes(Search* search, uint64_t held, uint64_t avail, uint64_t theirs, uint64_t reach, int need) noexcept nogil:
    """Whether the leader takes at least `need` of the tricks to come. He has `held` and can play `avail` of it; the other
    has `theirs` and can play `reach` of it."""
    cdef int left = popcount64(held)
    cdef int i, card, n = 0
    cdef int32_t order[MAX_MOVES]
    cdef uint64_t moves
    cdef Entry key
    cdef Entry* pair
    cdef Known known
    cdef bint result
    if need <= 0:
        return True
    if need > left:
        return False
    known.low = sure_trumps(held, theirs) + cashable(held, avail, theirs, reach)
    if need <= known.low:
        return True
    known.high = left - sure_trumps(theirs, held)
    if need > known.high:
        return False
    if left == 1:
        return not wins(lowest64(theirs), lowest64(held))
    key.key[0] = lengths(held | theirs) | pext64(held, held | theirs) << 16
    key.key[1] = links(search, avail, theirs | SEPARATORS)
    key.key[2] = links(search, reach, held | SEPARATORS)
    key.key[3] = 0
    pair = slot(search, &key)
    known.card = 0
    if probe(pair, &key, &known):
        if need <= known.low:
            return True
        if need > known.high:
            return False
    if tick(search):
        return False
    moves = lowest_of_blocks(avail & ~search.memory.linked, theirs) | avail & search.memory.linked
    while moves:
        card = lowest64(moves)
        moves &= moves - 1
        order[n] = weigh(search, lead_weights[lead_kind(card, reach)], card, held, theirs) * 64 + card
        if card == known.card:
            order[n] += 1 << 24
        n += 1
    result = False
    for i in range(n):
        card = next_best(order, n, i)
        if answered(search, card, held ^ bit(card), avail ^ bit(card) | search.memory.under[card], theirs, reach, need):
            known.card = card
            result = True
            break
    if search.aborted:
        return False
    if result:
        known.low = need
    else:
        known.high = need - 1
    store(search, pair, &key, &known)
    return result


# ---- three and four players: the pov, seat 0, against the others ----

cdef struct Node:
    uint64_t held[4]
    uint64_t avail[4]
    uint64_t inplay         # cards in play when the trick began
    uint64_t suit           # lane of the suit led
    int8_t players
    int8_t mover            # seat to play
    int8_t played           # cards in the trick
    int8_t best             # card that holds the trick
    int8_t taker            # who played it


cdef inline void put(Search* search, Node* node, int card) noexcept nogil:
    """The mover plays a card of his; the trick is not resolved."""
    node.held[node.mover] ^= bit(card)
    node.avail[node.mover] ^= bit(card) | search.memory.under[card]
    replay(node, card)


cdef inline void replay(Node* node, int card) noexcept nogil:
    """A card that is no longer with the mover comes to the trick."""
    if node.played == 0:
        node.suit = lane_of(card)
        node.best = card
        node.taker = node.mover
    elif wins(card, node.best):
        node.best = card
        node.taker = node.mover
    node.played += 1
    node.mover = node.mover + 1 if node.mover + 1 < node.players else 0


cdef inline int weigh_many(Search* search, Node* node, int card) noexcept nogil:
    """How soon to try a card."""
    cdef int score, seat = node.mover
    cdef uint64_t mine = node.held[seat]
    if node.played == 0:
        return weigh(search, many_weights[lead_kind(card, node.avail[1] | node.avail[2] | node.avail[3])
                     if seat == 0 else lead_kind(card, node.avail[0])], card, mine, node.inplay & ~mine)
    score = 9
    if seat == 0:
        score += 0 if wins(card, node.best) else 1
    elif node.taker == 0:
        score += 2 if wins(card, node.best) else 3
    else:
        score += 4 if wins(card, node.best) else 5
    if lane_of(card) != node.suit:
        score += 6
    return weigh(search, many_weights[score], card, mine, node.inplay & ~mine)


cdef bint turn(Search* search, Node* node, int need) noexcept nogil:
    """In a trick: whether the pov takes at least `need` tricks, this one included."""
    cdef uint64_t others = node.inplay & ~node.held[node.mover]
    cdef uint64_t moves = node.avail[node.mover]
    cdef int32_t order[MAX_MOVES]
    cdef Node child
    cdef int i, card, n = 0
    cdef bint result, maximises = node.mover == 0
    if node.played:
        moves = playable(moves, node.suit, TRUMPS)
    moves = lowest_of_blocks(moves & ~search.memory.linked, others) | moves & search.memory.linked
    while moves:
        card = lowest64(moves)
        moves &= moves - 1
        order[n] = weigh_many(search, node, card) * 64 + card
        n += 1
    for i in range(n):
        child = node[0]
        put(search, &child, next_best(order, n, i))
        if child.played < child.players:
            result = turn(search, &child, need)
        else:
            child.mover = child.taker
            child.played = 0
            result = reaches_pov(search, &child, need - (child.taker == 0))
        if result == maximises:
            return maximises
    return not maximises


cdef inline void bounds_many(Node* node, Known* known) noexcept nogil:
    """Trumps that nothing can spoil: of the pov by any other, of each other by the pov (partners do not spoil them)."""
    cdef int seat, sure = 0, left = popcount64(node.held[0])
    known.low = sure_trumps(node.held[0], node.inplay & ~node.held[0])
    for seat in range(1, node.players):
        sure = max(sure, sure_trumps(node.held[seat], node.held[0]))
    known.high = left - sure


cdef inline void key_many(Search* search, Node* node, Entry* key) noexcept nogil:
    cdef uint64_t packed, links_of[2]
    cdef int seat, place, places = 12 // node.players * 10, at = 0
    key.key[0] = lengths(node.inplay) | pext64(node.held[1] | node.held[3], node.inplay) << 16
    key.key[3] = (pext64(node.held[2] | node.held[3], node.inplay) | <uint64_t>node.mover << 36 | <uint64_t>1 << 38)
    key.key[1] = key.key[2] = 0
    for seat in range(node.players):
        packed = links(search, node.avail[seat], node.inplay & ~node.held[seat] | SEPARATORS)
        if at < 60:
            key.key[1] |= packed << at & (<uint64_t>1 << 60) - 1
            if at + places > 60:
                key.key[2] |= packed >> 60 - at
        else:
            key.key[2] |= packed << at - 60
        at += places


cdef bint reaches_pov(Search* search, Node* node, int need) noexcept nogil:
    """Before a trick: whether the pov takes at least `need` of those to come."""
    cdef int left = popcount64(node.held[0])
    cdef Entry key
    cdef Entry* pair
    cdef Known known
    cdef bint result
    if need <= 0:
        return True
    if need > left:
        return False
    node.inplay = node.held[0] | node.held[1] | node.held[2] | node.held[3]
    bounds_many(node, &known)
    if need <= known.low:
        return True
    if need > known.high:
        return False
    if left == 1:
        return turn(search, node, need)
    key_many(search, node, &key)
    pair = slot(search, &key)
    known.card = 0
    if probe(pair, &key, &known):
        if need <= known.low:
            return True
        if need > known.high:
            return False
    if tick(search):
        return False
    result = turn(search, node, need)
    if search.aborted:
        return False
    if result:
        known.low = need
    else:
        known.high = need - 1
    store(search, pair, &key, &known)
    return result


# ---- the root ----

cdef bint test_two(Search* search, State* state, const uint64_t* held, const uint64_t* avail, int need) noexcept nogil:
    cdef int leader = state.leader
    cdef bint result
    if leader != state.pov:
        need = popcount64(held[1 - leader]) - need + 1
    if state.played:
        result = answered(search, renamed(state.trick[0], state.trump), held[leader], avail[leader],
                          held[1 - leader], avail[1 - leader], need)
    else:
        result = takes(search, held[leader], avail[leader], held[1 - leader], avail[1 - leader], need)
    return result == (leader == state.pov)


cdef bint test_many(Search* search, State* state, const uint64_t* held, const uint64_t* avail, int need) noexcept nogil:
    cdef Node node
    cdef int i, seat
    memset(&node, 0, sizeof(node))
    node.players = state.players
    for i in range(state.players):
        seat = (state.pov + i) % state.players
        node.held[i] = held[seat]
        node.avail[i] = avail[seat]
    node.mover = (state.leader + state.players - state.pov) % state.players
    if state.played == 0:
        return reaches_pov(search, &node, need)
    node.inplay = node.held[0] | node.held[1] | node.held[2] | node.held[3]
    for i in range(state.played):
        node.inplay |= bit(renamed(state.trick[i], state.trump))
    for i in range(state.played):
        replay(&node, renamed(state.trick[i], state.trump))
    return turn(search, &node, need)


cdef bint at_least(Search* search, State* state, int bound) noexcept nogil:
    cdef uint64_t held[4], avail[4]
    cdef int seat
    for seat in range(state.players):
        held[seat] = renamed_holding(state.held[seat], state.trump)
        avail[seat] = renamed_holding(state.avail[seat], state.trump)
    if state.players == 2:
        return test_two(search, state, held, avail, bound - state.won[state.pov])
    return test_many(search, state, held, avail, bound - state.won[state.pov])


def set_weights(weights):
    cdef int i, j
    for i in range(9):
        for j in range(FEATURES):
            lead_weights[i][j] = weights[i][j]
    for i in range(7):
        for j in range(FEATURES):
            reply_weights[i][j] = weights[9 + i][j]
    for i in range(21):
        for j in range(FEATURES):
            many_weights[i][j] = weights[16 + i][j]
