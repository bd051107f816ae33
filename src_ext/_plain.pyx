# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The kernel of the games that are hands only: Antikoziris, Piramidė, `plain`; one side against the rest.

Row (int64[16]): 0..3 hands; 4..6 cards of the current trick in order played, -1 none; 7 leader of the current trick;
8 players; 9 trump suit or -1; 10 flags: 1 who cannot follow plays anything, 2 beat, 4 trumps are anti-trumps; 11 the side
as seat mask; 12 tricks it has won; 13, 14 sixteen signed bytes, little-endian: the utility of ending with t tricks; 15
spare, 0. The value is the utility the side ends with: it wants much, the others little.
"""

from libc.stdint cimport int8_t, int64_t, uint64_t

cpdef enum:
    WIDTH = 16
    MAX_MOVES = 13
    MAX_LINE = 52

cdef enum:
    VOID_ANY = 1
    BEAT = 2
    ANTI = 4
    NO_CARD = -1


cdef struct State:
    uint64_t hands[4]
    int8_t trick[4]         # cards of the current trick in the order played
    int8_t played           # how many there are
    int8_t leader           # seat that led, or is to lead
    int8_t players
    int8_t trump            # suit, or -1
    int8_t flags            # VOID_ANY | BEAT | ANTI
    int8_t side             # seat mask
    int8_t won              # tricks the side has
    int8_t utility[16]      # by tricks of the side at the end


cdef struct Memory:
    int nothing


include "_search.pxi"



# ---- rules ----

cdef inline uint64_t lane(int suit) noexcept nogil:
    """All cards of a suit."""
    return <uint64_t>0x1fff << (suit * 16)


cdef inline uint64_t bit(int card) noexcept nogil:
    return <uint64_t>1 << card


cdef inline bint beats(State* state, int card, int best) noexcept nogil:
    """Whether a card takes over a trick that `best` holds. An anti-trump holds a trick only when anti-trumps were led,
    and any other suit takes it from there; a trump takes it from any other suit."""
    if card >> 4 == best >> 4:
        return card > best
    if state.flags & ANTI:
        return best >> 4 == state.trump
    return card >> 4 == state.trump


cdef inline int holder(State* state) noexcept nogil:
    """Which card of the trick, by order played, holds it so far."""
    cdef int i, best = 0
    for i in range(1, state.played):
        if beats(state, state.trick[i], state.trick[best]):
            best = i
    return best


cdef inline int actor(State* state) noexcept nogil:
    return (state.leader + state.played) % state.players


cdef uint64_t playable(State* state) noexcept nogil:
    """The cards the seat to move may play."""
    cdef uint64_t hand = state.hands[actor(state)]
    cdef uint64_t owed, winning = 0
    cdef int best, led, i
    if state.played == 0:
        return hand
    led = state.trick[0] >> 4
    owed = hand & lane(led)
    if not owed and not state.flags & VOID_ANY and state.trump >= 0:
        if led != state.trump:
            owed = hand & lane(state.trump)
        elif state.flags & ANTI:
            for i in range(1, state.played):
                if state.trick[i] >> 4 != led:
                    return hand & lane(state.trick[i] >> 4) or hand
    if not owed:
        return hand
    if state.flags & BEAT:
        best = state.trick[holder(state)]
        i = lowest64(owed) >> 4
        if i == best >> 4:
            winning = owed & ~((bit(best) << 1) - 1)
        elif i == state.trump and not state.flags & ANTI:
            winning = owed
    return winning or owed


cdef void apply(State* state, uint64_t code) noexcept nogil:
    cdef int best, seat = actor(state)
    state.hands[seat] &= ~code
    state.trick[state.played] = lowest64(code)
    state.played += 1
    if state.played == state.players:
        best = (state.leader + holder(state)) % state.players
        state.leader = best
        state.won += state.side >> best & 1
        state.played = 0


# ---- what _search.pxi asks for ----

cdef const char* check(const int64_t* row) noexcept nogil:
    cdef uint64_t seen = 0, hand
    cdef int i, size, played = 0
    cdef int players = row[8]
    if row[8] < 2 or row[8] > 4:
        return "there must be 2 to 4 players"
    if row[7] < 0 or row[7] >= row[8]:
        return "the leader must be one of the players"
    if row[9] < -1 or row[9] > 3:
        return "the trump suit must be 0 to 3, or -1 for none"
    if row[10] < 0 or row[10] > 7:
        return "flags must be 0 to 7"
    if row[11] < 0 or row[11] >= 1 << row[8]:
        return "the side must be a mask of the players' seats"
    for i in range(4):
        hand = row[i]
        if hand & ~<uint64_t>0x1fff1fff1fff1fff:
            return "a hand holds bits that are no cards"
        if i >= players and hand:
            return "a seat beyond the players holds cards"
        if hand & seen:
            return "two hands hold the same card"
        seen |= hand
    for i in range(3):
        if row[4 + i] == NO_CARD:
            continue
        if i > played:
            return "the trick has a gap"
        if row[4 + i] < 0 or row[4 + i] > 63 or not bit(row[4 + i]) & <uint64_t>0x1fff1fff1fff1fff:
            return "the trick holds something that is no card"
        if bit(row[4 + i]) & seen:
            return "a card of the trick is there twice"
        seen |= bit(row[4 + i])
        played += 1
    if played >= players:
        return "the trick has too many cards"
    size = popcount64(row[row[7]]) + (played > 0)
    if size > 13:
        return "a hand has more than 13 cards"
    for i in range(players):
        if popcount64(row[(row[7] + i) % players]) + (i < played) != size:
            return "the hands are not of equal size"
    if row[12] < 0 or row[12] + size > 15:
        return "the tricks won, and those to come, must be 0 to 15"
    return NULL


cdef void unpack(const int64_t* row, State* state) noexcept nogil:
    cdef int i
    state.played = 0
    for i in range(4):
        state.hands[i] = row[i]
        state.trick[i] = NO_CARD
    for i in range(3):
        if row[4 + i] != NO_CARD:
            state.trick[i] = row[4 + i]
            state.played += 1
    state.leader = row[7]
    state.players = row[8]
    state.trump = row[9]
    state.flags = row[10]
    state.side = row[11]
    state.won = row[12]
    for i in range(16):
        state.utility[i] = <int8_t>((<uint64_t>row[13 + i // 8]) >> (8 * (i % 8)) & 255)


cdef int legal(State* state, uint64_t* codes) noexcept nogil:
    cdef uint64_t left = playable(state), suit
    cdef int n = 0, card
    while left:
        suit = left & lane(lowest64(left) >> 4)
        left &= ~suit
        while suit:
            card = highest64(suit)
            suit ^= bit(card)
            codes[n] = bit(card)
            n += 1
    return n


cdef int twin(State* state, const uint64_t* codes, int i) noexcept nogil:
    """The card above, when the deal has none between: swapping their names gives the same deal."""
    cdef uint64_t others = 0
    cdef int j, seat = actor(state)
    if i == 0 or lowest64(codes[i]) >> 4 != lowest64(codes[i - 1]) >> 4:
        return -1
    for j in range(4):
        if j != seat:
            others |= state.hands[j]
    for j in range(state.played):
        others |= bit(state.trick[j])
    return -1 if others & (codes[i - 1] - codes[i]) else i - 1


cdef bint maximising(State* state) noexcept nogil:
    return state.side >> actor(state) & 1


cdef int value(State* state) noexcept nogil:
    return state.utility[state.won]


cdef void span(State* state, int* low, int* high) noexcept nogil:
    """The extremes of the utilities that can still be reached."""
    cdef int t, left = popcount64(state.hands[actor(state)])
    low[0] = high[0] = state.utility[state.won]
    for t in range(state.won, state.won + left + 1):
        low[0] = min(low[0], <int>state.utility[t])
        high[0] = max(high[0], <int>state.utility[t])


cdef int guess(Search* search, State* state) noexcept nogil:
    cdef int low = 0, high = 0
    span(state, &low, &high)
    return (low + high) // 2


cdef void fresh(Search* search, State* root) noexcept nogil:
    pass


cdef bint at_least(Search* search, State* state, int bound) noexcept nogil:
    cdef uint64_t codes[MAX_MOVES]
    cdef State child
    cdef int i, n = legal(state, codes)
    cdef bint maximises
    if n == 0:
        return value(state) >= bound
    if tick(search):
        return False
    maximises = maximising(state)
    for i in range(n):
        if twin(state, codes, i) >= 0:
            continue
        child = state[0]
        apply(&child, codes[i])
        if at_least(search, &child, bound) == maximises:
            return maximises
    return not maximises
