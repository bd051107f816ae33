"""The kernel of Velnio tuzinas, 2 to 8 players.

Row (int64[88]): 0..7 hands; 8 stock cards; 9..60 the stock, next to be drawn first; 61..68 points; 69 leader of the
current trick; 70 players; 71 trump suit; 72 cards of the lead, 0 when it is still to come; 73 the cards now on top: the
lead or the last cover; 74 seat that holds the trick so far; 75 seats that have played to it; 76 pov; 77 what is asked:
0 the margin, 1 only whether it is above 0 (then the value is 1 or 0); 78 the horizon, for three and more players: so
many whole tricks are played, after one that has begun, then the margin as it stands is taken for the value; 0: to the
end; 79.. spare, 0.

The value is the points of the pov minus those of the best other seat when the deal ends, each counted up to 13; the
tally is of points. Two players: _velnio_duel.pxi. More, all against the pov: _velnio_party.pxi; each for himself: _velnio_max_n.pxi.
"""

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

cpdef enum:
    WIDTH = 88
    MAX_MOVES = 7           # three singles, three pairs, a triple; in reply each of three sets covers or tucks
    MAX_LINE = 52

cdef enum:
    GOAL = 13               # points that end the match
    HAND = 3                # cards in a hand, at most
    MAX_STEP = 13           # points: a first guess may be far off
    TUCK = 1 << 13          # kind bit of a move code
    MAX_ROUNDS = 27         # rounds of drawing: at most 52 cards for two players
    GENERATIONS = 1 << 12
    FIRST_BUCKETS = 1 << 15
    ALL_CARDS = 0x1fff1fff1fff1fff


cdef struct State:
    uint64_t hands[8]
    int8_t stock[52]        # next to be drawn first
    int8_t drawn            # cards of it that are gone
    int8_t rounds           # rounds that can still be drawn: a card for every player in each
    int8_t points[8]
    uint64_t top            # the cards to beat: the lead or the last cover
    int8_t size             # cards of the lead, 0: to be led
    int8_t holder           # seat that holds the trick so far
    int8_t played           # seats that have played to the trick
    int8_t leader
    int8_t players
    int8_t trump            # suit
    int8_t pov
    int8_t sign             # 1: only whether the margin is above 0 is asked
    int8_t horizon          # tricks that must end before the margin is taken as it stands, plus one; 0: all


cdef struct Memory:
    int8_t stock[52]        # the deal the entries of this generation belong to: cards that will be drawn, next first
    int8_t stock_size
    int8_t players
    int8_t trump
    int64_t deal            # counts the deals
    int generation          # of the entries, counted from 1 up to GENERATIONS - 1
    uint64_t label          # generation, as it stands in a key
    uint64_t tags[2][MAX_ROUNDS + 1]                # side and rounds, likewise
    size_t mask             # buckets in use, minus 1
    int64_t crowded         # nodes at which more buckets are taken into use
    uint64_t drawn[MAX_ROUNDS + 1][HAND + 1][8]     # cards by rounds left, rounds drawn, places after the winner
    int drawn_worth[MAX_ROUNDS + 1][HAND + 1]       # what the winner draws is worth more than what the next seat draws
    uint64_t beaten[64]     # cards that a card beats
    int16_t worth[64]       # of a card in a hand, for ordering moves
    int8_t pov
    int target              # the margin asked about
    uint64_t aim            # the same as it stands in an entry
    uint64_t lower[MAX_ROUNDS + HAND + 1]           # packed stairs by cards that each player has still to play
    uint64_t upper[MAX_ROUNDS + HAND + 1]
    uint64_t floor
    uint64_t fill[5]        # by points of a trick


include "_search.pxi"

cdef extern from "_stairs.h" nogil:
    ctypedef struct Stairs:
        pass
    Stairs stairs_least(Stairs a, Stairs b)
    Stairs stairs_most(Stairs a, Stairs b)
    Stairs stairs_drop(Stairs a, int p)
    Stairs stairs_shift(Stairs a, int p)
    Stairs stairs_unpack(uint64_t word)
    uint64_t stairs_pack(Stairs a)


# ---- rules ----

cdef int[4] PRIZE           # points of a trick by cards led
PRIZE[:] = [0, 1, 2, 4]
cdef int[8] SIZES           # of a set of cards given as a mask
SIZES[:] = [0, 1, 1, 2, 1, 2, 2, 3]
cdef int[4][HAND] SETS      # the same the other way round: the sets by size, ascending
SETS[1][:] = [1, 2, 4]
SETS[2][:] = [3, 5, 6]
SETS[3][:] = [7, 8, 8]

# What makes a position look good, for ordering moves: found by a hill climb that made the trees of two players small
# (bench/tune_velnio_tuzinas.py).
cdef enum:
    CARD = 0                # worth of a card by strength,
    TRUMP = 13              # of a trump likewise
    KEPT = 26               # of a trick by cards led, 1 to 3, that its leader keeps
    COVERED = 29            # of one that is covered
    TO_LEAD = 32            # of leading the next trick
    OPEN_REPLY = 33         # price of a lead for each reply that must still be searched
    WEIGHTS = 34

cdef int[WEIGHTS] weights = [
    12, 5, 6, 14, 16, 19, 20, 20, 28, 30, 30, 32, 24,
    89, 67, 82, 96, 98, 75, 80, 106, 99, 99, 91, 109, 115,
    48, 143, 239,
    85, 57, 215,
    -8,
    57,
]


def get_weights():
    """The weights in force."""
    return [weights[i] for i in range(WEIGHTS)]


def set_weights(wanted):
    """Other weights, for all solvers of the process, from the next deal on: for the program that looks for better."""
    cdef int i
    if len(wanted) != WEIGHTS or min(wanted) < -2000 or max(wanted) > 2000:
        raise ValueError(f"there are {WEIGHTS} weights from -2000 to 2000")
    for i in range(WEIGHTS):
        weights[i] = wanted[i]


# COVERS[pairs][led]: the sets of a hand that cover the lead `led`, as bits 0..7, a set being a mask of the hand's
# cards. Bit 3 * i + j of `pairs` says that card i of the hand beats card j of those led.
cdef uint8_t[512][8] COVERS


cdef bint pairs_off(int pairs, int reply, int led) noexcept nogil:
    """Whether a one-to-one pairing exists in which each card of `reply` beats its partner in `led`: every pairing is
    tried, so there is nothing to prove."""
    cdef int i, j
    if reply == 0 or led == 0:
        return reply == led
    i = lowest64(reply)
    for j in range(HAND):
        if led >> j & 1 and pairs >> (3 * i + j) & 1 and pairs_off(pairs, reply & ~(1 << i), led & ~(1 << j)):
            return True
    return False


cdef void tabulate_covers() noexcept nogil:
    cdef int pairs, led, reply
    for pairs in range(512):
        for led in range(1, 8):
            for reply in range(1, 8):
                if pairs_off(pairs, reply, led):
                    COVERS[pairs][led] |= 1 << reply


tabulate_covers()


cdef inline uint64_t bit(int card) noexcept nogil:
    return <uint64_t>1 << card


cdef inline uint64_t lane(int suit) noexcept nogil:
    """All cards of a suit."""
    return <uint64_t>0x1fff << (suit * 16)


cdef inline uint64_t beaten_by(int card, int trump) noexcept nogil:
    """The cards that a card beats."""
    cdef uint64_t lower = lane(card >> 4) & (bit(card) - 1)
    return lower | (ALL_CARDS & ~lane(trump)) if card >> 4 == trump else lower


cdef inline bint is_lead(uint64_t cards) noexcept nogil:
    """All of one suit or all of one rank."""
    cdef int low = lowest64(cards)
    return cards & ~lane(low >> 4) == 0 or cards & ~(<uint64_t>0x0001000100010001 << (low & 15)) == 0


cdef int spread(uint64_t hand, uint64_t* cards) noexcept nogil:
    """The cards of a hand one by one, in listing order: suits upward, high to low."""
    cdef uint64_t suit
    cdef int n = 0, card
    while hand:
        suit = hand & lane(lowest64(hand) >> 4)
        hand &= ~suit
        while suit:
            card = highest64(suit)
            suit ^= bit(card)
            cards[n] = bit(card)
            n += 1
    return n


cdef inline int actor(State* state) noexcept nogil:
    return (state.leader + state.played) % state.players


cdef int best_other(State* state) noexcept nogil:
    """Points of the best seat but the pov."""
    cdef int seat, best = 0
    for seat in range(state.players):
        if seat != state.pov:
            best = max(best, <int>state.points[seat])
    return best


cdef inline bint finished(State* state) noexcept nogil:
    return (state.points[state.pov] >= GOAL or best_other(state) >= GOAL or state.hands[actor(state)] == 0
            or state.horizon == 1)


cdef int covering(State* state, const uint64_t* cards, int n) noexcept nogil:
    """The sets among n cards that cover what is on top, as in COVERS."""
    cdef uint64_t top[HAND]
    cdef uint64_t beaten
    cdef int i, j, pairs = 0
    spread(state.top, top)
    for i in range(n):
        beaten = beaten_by(lowest64(cards[i]), state.trump)
        for j in range(state.size):
            if beaten & top[j]:
                pairs |= 1 << (3 * i + j)
    return COVERS[pairs][(1 << state.size) - 1]


cdef int legal(State* state, uint64_t* codes) noexcept nogil:
    # Masks of up to three cards in listing order: by number of cards, then card by card.
    cdef int[7] listing = [1, 2, 4, 3, 5, 6, 7]
    cdef uint64_t[HAND] cards
    cdef uint64_t chosen
    cdef int i, k, n, mask, covers, moves = 0
    if finished(state):
        return 0
    n = spread(state.hands[actor(state)], cards)
    covers = covering(state, cards, n) if state.size else 0
    for i in range(7):
        mask = listing[i]
        if mask >> n:
            continue
        chosen = 0
        for k in range(n):
            if mask >> k & 1:
                chosen |= cards[k]
        if not state.size:
            if is_lead(chosen):
                codes[moves] = chosen
                moves += 1
        elif popcount64(mask) == state.size:
            if covers >> mask & 1:
                codes[moves] = chosen
                moves += 1
            codes[moves] = chosen | TUCK
            moves += 1
    return moves


cdef void draw(State* state, int rounds) noexcept nogil:
    """The winner of the trick, who leads now, draws first."""
    cdef int i, seat
    for i in range(min(rounds, <int>state.rounds) * state.players):
        seat = (state.leader + i) % state.players
        state.hands[seat] |= bit(state.stock[state.drawn])
        state.drawn += 1
    state.rounds -= min(rounds, <int>state.rounds)


cdef void apply(State* state, uint64_t code) noexcept nogil:
    cdef int size, seat = actor(state)
    cdef uint64_t cards = code & ALL_CARDS
    state.hands[seat] &= ~cards
    if state.size == 0:
        state.size = popcount64(cards)
    if not code & TUCK:
        state.top = cards
        state.holder = seat
    state.played += 1
    if state.played == state.players:
        size = state.size
        state.points[state.holder] += PRIZE[size]
        state.leader = state.holder
        state.played = state.size = 0
        state.top = 0
        if state.horizon:
            state.horizon -= 1
        if state.points[state.leader] < GOAL:
            draw(state, size)


# ---- what both searches use ----

cdef struct Sets:           # the sets of a hand, by mask
    uint64_t[8] cards
    int[8] worth


cdef inline uint64_t tag(int number) noexcept nogil:
    """A number of 12 bits in the bits of a holding that are no cards, so that keys are exact."""
    return (<uint64_t>(number & 7) << 13 | <uint64_t>(number >> 3 & 7) << 29 | <uint64_t>(number >> 6 & 7) << 45
            | <uint64_t>(number >> 9 & 7) << 61)


cdef void new_generation(Search* search, bint other_kind) noexcept nogil:
    """Makes all entries strangers. The two searches, whose entries are laid out differently, never share a table."""
    cdef Memory* memory = &search.memory
    memory.deal += 1
    memory.generation += 1
    if memory.generation == GENERATIONS or other_kind:
        memset(search.table, 0, search.table_bytes)
        memory.generation = 1
    memory.label = tag(memory.generation)
    memory.mask = min(<size_t>FIRST_BUCKETS, search.table_bytes // 64) - 1
    memory.crowded = search.nodes + 4 * memory.mask


cdef inline void make_room(Search* search) noexcept nogil:
    """A small table stays in the cache: it grows only as a search does. What moves to another bucket is lost."""
    cdef Memory* memory = &search.memory
    if unlikely(search.nodes > memory.crowded) and memory.mask < search.table_bytes // 64 - 1:
        memory.mask = 2 * memory.mask + 1
        memory.crowded = search.nodes + 4 * memory.mask


cdef int total_worth(Memory* memory, uint64_t cards) noexcept nogil:
    cdef int total = 0
    while cards:
        total += memory.worth[lowest64(cards)]
        cards &= cards - 1
    return total


cdef void tabulate_cards(Memory* memory) noexcept nogil:
    cdef int card, trump = memory.trump
    for card in range(64):
        memory.beaten[card] = beaten_by(card, trump)
        memory.worth[card] = 0
        if bit(card) & ALL_CARDS:
            memory.worth[card] = weights[(TRUMP if card >> 4 == trump else CARD) + (card & 15)]


cdef void tabulate_draws(Memory* memory) noexcept nogil:
    cdef int left, rounds, first, i
    memset(memory.drawn, 0, sizeof(memory.drawn))
    for left in range(MAX_ROUNDS + 1):
        memory.tags[0][left] = tag(left)
        memory.tags[1][left] = tag(left | 1 << 5)
    for left in range(memory.stock_size // memory.players + 1):
        first = memory.stock_size - left * memory.players
        for rounds in range(HAND + 1):
            for i in range(min(rounds, left) * memory.players):
                memory.drawn[left][rounds][i % memory.players] |= bit(memory.stock[first + i])
            memory.drawn_worth[left][rounds] = (total_worth(memory, memory.drawn[left][rounds][0])
                                                - total_worth(memory, memory.drawn[left][rounds][1]))


cdef inline int most_points(int cards) noexcept nogil:
    """A player with so many cards to play can take no more points than this, triples being the dearest."""
    return 4 * (cards // 3) + cards % 3


cdef int divide(Memory* memory, uint64_t hand, Sets* sets) noexcept nogil:
    """All sets of a hand's cards; returns how many cards it has."""
    cdef int n = 0, mask
    sets.cards[0] = 0
    sets.worth[0] = 0
    while hand:
        sets.cards[1 << n] = hand & (0 - hand)
        sets.worth[1 << n] = memory.worth[lowest64(hand)]
        hand &= hand - 1
        n += 1
    for mask in range(3, 1 << n):
        sets.cards[mask] = sets.cards[mask & (mask - 1)] | sets.cards[mask & -mask]
        sets.worth[mask] = sets.worth[mask & (mask - 1)] + sets.worth[mask & -mask]
    return n


cdef int pairings(Memory* memory, Sets* led, Sets* reply, int n) noexcept nogil:
    """Which card of the reply beats which card led, as COVERS wants it."""
    cdef int i, j, pairs = 0
    cdef uint64_t beaten
    for i in range(n):
        beaten = memory.beaten[lowest64(reply.cards[1 << i])]
        for j in range(n):
            if beaten & led.cards[1 << j]:
                pairs |= 1 << (3 * i + j)
    return pairs


include "_velnio_duel.pxi"
include "_velnio_party.pxi"


# ---- what _search.pxi asks for ----

cdef const char* check_numbers(const int64_t* row) noexcept nogil:
    cdef int i
    if row[70] < 2 or row[70] > 8:
        return "there must be 2 to 8 players"
    if row[69] < 0 or row[69] >= row[70]:
        return "the leader must be one of the players"
    if row[76] < 0 or row[76] >= row[70]:
        return "the pov must be one of the players"
    if row[71] < 0 or row[71] > 3:
        return "the trump suit must be 0 to 3"
    if row[8] < 0 or row[8] > 52:
        return "the stock must be 0 to 52 cards"
    for i in range(8):
        if row[61 + i] < 0 or row[61 + i] > 99:
            return "points must be 0 to 99"
    if row[72] < 0 or row[72] > HAND:
        return "a lead is 1 to 3 cards, 0 when it is still to come"
    if row[75] < 0 or row[75] >= row[70] or (row[75] > 0) != (row[72] > 0):
        return "the number of seats that have played to the trick must fit the players and the lead"
    if row[72] > 0 and (row[74] < 0 or row[74] >= row[70] or (row[74] - row[69] + row[70]) % row[70] >= row[75]):
        return "the trick must be held by a seat that has played to it"
    if row[78] < 0 or row[78] > MAX_LINE:
        return "the horizon must be 0 (none) to 52 tricks"
    if row[77] < 0 or row[77] > 1:
        return "what is asked must be 0 (the margin) or 1 (its sign)"
    return NULL


cdef const char* check_cards(const int64_t* row) noexcept nogil:
    cdef uint64_t seen = row[73], hand
    cdef int i
    if seen & ~<uint64_t>ALL_CARDS:
        return "the cards on top hold bits that are no cards"
    if popcount64(seen) != row[72]:
        return "there must be as many cards on top as were led"
    if row[72] > 0 and row[74] == row[69] and not is_lead(seen):
        return "a lead must be of one suit or of one rank"
    for i in range(8):
        hand = row[i]
        if hand & ~<uint64_t>ALL_CARDS:
            return "a hand holds bits that are no cards"
        if i >= row[70] and hand:
            return "a seat beyond the players holds cards"
        if hand & seen:
            return "a card is there twice"
        seen |= hand
    for i in range(row[8]):
        if row[9 + i] < 0 or row[9 + i] > 63 or not bit(row[9 + i]) & ALL_CARDS:
            return "the stock holds something that is no card"
        if bit(row[9 + i]) & seen:
            return "a card of the stock is there twice"
        seen |= bit(row[9 + i])
    return NULL


cdef const char* check(const int64_t* row) noexcept nogil:
    cdef const char* wrong = check_numbers(row)
    cdef int i, size
    if wrong == NULL:
        wrong = check_cards(row)
    if wrong != NULL:
        return wrong
    size = popcount64(row[row[69]]) + row[72]
    if size > HAND:
        return "a hand has more than three cards"
    for i in range(row[70]):
        if popcount64(row[(row[69] + i) % row[70]]) + (row[72] if i < row[75] else 0) != size:
            return "the hands are not of equal size"
    return NULL


cdef void unpack(const int64_t* row, State* state) noexcept nogil:
    cdef int i
    for i in range(8):
        state.hands[i] = row[i]
        state.points[i] = row[61 + i]
    for i in range(row[8]):
        state.stock[i] = row[9 + i]
    state.drawn = 0
    state.rounds = row[8] // row[70]
    state.leader = row[69]
    state.players = row[70]
    state.trump = row[71]
    state.size = row[72]
    state.top = row[73]
    state.holder = row[74]
    state.played = row[75]
    state.pov = row[76]
    state.sign = row[77]
    state.horizon = row[78] + 1 + (row[75] > 0) if row[78] else 0


cdef int twin(State* state, const uint64_t* codes, int i) noexcept nogil:
    return -1


cdef inline int tally(State* state, int seat) noexcept nogil:
    return state.points[seat]


cdef bint maximising(State* state) noexcept nogil:
    return actor(state) == state.pov


cdef int value(State* state) noexcept nogil:
    cdef int margin = min(<int>state.points[state.pov], GOAL) - min(best_other(state), GOAL)
    return margin > 0 if state.sign else margin


cdef void span(State* state, int* low, int* high) noexcept nogil:
    low[0] = 0 if state.sign else -GOAL
    high[0] = 1 if state.sign else GOAL


cdef int guess(Search* search, State* state) noexcept nogil:
    """Two players: by playing on. More: the others together get some half of what can still be had (by regression)."""
    cdef int cards
    if state.sign:
        return 1
    if state.players == 2 and not state.played:
        return duel_forecast(search, state)
    cards = popcount64(state.hands[state.leader]) + state.size + state.rounds
    return (state.points[state.pov] + (state.leader == state.pov)
            - min(best_other(state) + most_points(cards) * 11 // 20, GOAL))


cdef void fresh(Search* search, State* root) noexcept nogil:
    """A root of the same deal, further on, keeps all entries; another deal makes a new generation."""
    cdef Memory* memory = &search.memory
    cdef int size = root.rounds * root.players
    if (memory.generation and memory.players == root.players and memory.trump == root.trump
            and size <= memory.stock_size
            and memcmp(&memory.stock[memory.stock_size - size], &root.stock[root.drawn], size) == 0):
        return
    new_generation(search, memory.players and (memory.players == 2) != (root.players == 2))
    memory.players = root.players
    memory.trump = root.trump
    memory.stock_size = size
    memcpy(memory.stock, &root.stock[root.drawn], size)
    tabulate_cards(memory)
    tabulate_draws(memory)


cdef bint at_least(Search* search, State* state, int bound) noexcept nogil:
    """By the search that suits the number of players; with two, a running trick is ended move by move first."""
    cdef uint64_t[MAX_MOVES] codes
    cdef State child
    cdef int i, n
    cdef bint maximises
    if finished(state):
        return value(state) >= bound
    if state.players > 2:
        return gather_root(search, state, bound)
    if not state.played:
        return duel_root(search, state, bound)
    if tick(search):
        return False
    n = legal(state, codes)
    maximises = maximising(state)
    for i in range(n):
        child = state[0]
        apply(&child, codes[i])
        if at_least(search, &child, bound) == maximises:
            return maximises
    return not maximises


include "_velnio_max_n.pxi"
include "_velnio_playout.pxi"
include "_velnio_judge.pxi"
