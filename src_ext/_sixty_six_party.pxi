# Three players, two of them against the pov.
#
# A test "value >= bound" is searched card by card and kept at the start of tricks. Its answer holds for a box: a range of
# counted points for each seat within which the same proof holds. Two things widen a box beyond what its proof says.
# More points never hurt the pov (he is there sooner, or the losers he belongs to have more). And as long as it only
# matters who wins, or how much the others have (bounds above 0), more points never hurt the others either: only if one
# of them may close and reach 66 first, the other's points can spoil it.

cdef enum:
    PLENTY = 127        # more points than a deal has


# The value of a test, and the points (of each seat, ends included) for which it holds.
ctypedef struct Box:
    bint reached
    int16_t low[3]
    int16_t high[3]

# The table is exact: hands and tags are all that a test depends on beside the points.
ctypedef struct PartyEntry:
    uint64_t hands          # of the first two seats
    uint64_t more           # of the third | tag << 32, see party_tag
    uint64_t context        # pending points, and the stamp of stock, rules and pov
    uint8_t low[3]
    uint8_t high[3]
    uint8_t reached
    uint8_t used


# ---- boxes ----

cdef inline Box everywhere(bint reached) noexcept nogil:
    cdef Box box
    cdef int seat
    box.reached = reached
    for seat in range(3):
        box.low[seat] = 0
        box.high[seat] = PLENTY
    return box


cdef inline void within(Box* box, const Box* other) noexcept nogil:
    """Narrows a box to another."""
    cdef int seat
    for seat in range(3):
        box.low[seat] = max(box.low[seat], other.low[seat])
        box.high[seat] = min(box.high[seat], other.high[seat])


cdef inline void before(Box* box, State* state, State* child) noexcept nogil:
    """A child's box as one of its parent, whose deal must still go on."""
    cdef int seat, gain
    for seat in range(3):
        gain = child.points[seat] - state.points[seat]
        box.low[seat] = max(0, box.low[seat] - gain)
        if box.high[seat] != PLENTY:
            box.high[seat] = box.high[seat] - gain
        box.high[seat] = min(box.high[seat], GAME - 1)


cdef inline void joint(Box* box, State* state, int one, int other) noexcept nogil:
    """Keeps the joint points of two seats on the side of 33 where they are, giving each half of the room there is."""
    cdef int room = state.points[one] + state.points[other] - HALF, half
    if room >= 0:
        half = min(room // 2, <int>state.points[one])
        box.low[one] = max(box.low[one], state.points[one] - half)
        box.low[other] = max(box.low[other], state.points[other] - min(room - half, <int>state.points[other]))
    else:
        half = (-1 - room) // 2
        box.high[one] = min(box.high[one], state.points[one] + half)
        box.high[other] = min(box.high[other], state.points[other] + (-1 - room - half))


cdef inline bint points_may_hurt(State* state, int bound) noexcept nogil:
    """Whether those against the pov may be better off with fewer points for one of them."""
    return bound < 1 or state.closing == REACH_66 or (state.closed_by != NOBODY and state.closed_by != state.pov)


cdef inline void widen(Box* box, State* state, int bound) noexcept nogil:
    cdef int seat
    if box.reached:
        box.high[state.pov] = PLENTY
    else:
        box.low[state.pov] = 0
    if points_may_hurt(state, bound):
        return
    for seat in range(3):
        if seat != state.pov:
            if box.reached:
                box.low[seat] = 0
            else:
                box.high[seat] = PLENTY


# ---- what needs no search ----

cdef Box party_over(State* state, int bound) noexcept nogil:
    """Of a finished deal."""
    cdef Box box = everywhere(value(state) >= bound)
    cdef int seat, taker = winner(state)
    cdef int sign = 1 if taker == state.pov else -1
    for seat in range(3):
        if state.points[seat] >= GAME:
            box.low[seat] = GAME
        else:
            box.high[seat] = GAME - 1
    if taker == NOBODY or (state.flags & SCHNAPSEN and state.closed_by != NOBODY) or winning_eyes(state, taker) == 3:
        return box
    if (sign >= bound) != (2 * sign >= bound):
        joint(&box, state, (taker + 1) % 3, (taker + 2) % 3)
    return box


cdef bint foregone(State* state, int bound, Box* box) noexcept nogil:
    """Whether the span of values settles the test (of a deal that goes on)."""
    cdef int one = (state.pov + 1) % 3, other = (state.pov + 2) % 3
    cdef int low = -max(most(state, one), most(state, other)), high = most(state, state.pov)
    if state.closed_by == state.pov:
        low = -closing_penalty(state)
    elif state.closed_by != NOBODY:
        low = -most(state, state.closed_by)
    if low < bound <= high:
        return False
    box[0] = everywhere(bound <= low)
    if bound > high:
        if high == 1:
            joint(box, state, one, other)
        return True
    if low == -1:
        joint(box, state, state.pov, one)
        joint(box, state, state.pov, other)
    return True


# ---- the table ----

cdef inline uint32_t party_tag(State* state, int bound) noexcept nogil:
    cdef uint32_t tag = (state.won[0] > 0) | (state.won[1] > 0) << 1 | (state.won[2] > 0) << 2
    tag |= state.leader << 3 | (state.stock_size - state.next) << 5 | (bound + 3) << 9
    tag |= <uint32_t>state.pov << 19
    if state.closed_by != NOBODY:
        tag |= (state.closed_by + 1) << 12 | closing_penalty(state) << 14
        if state.flags & SCHNAPSEN:
            tag |= winning_eyes(state, state.closed_by) << 16
    elif is_open(state) and state.stock[state.stock_size - 1] == lowest_trump(state):
        tag |= 1 << 18
    return tag


cdef inline PartyEntry* party_bucket(Search* search, const PartyEntry* key) noexcept nogil:
    """Two entries in a cache line."""
    cdef uint64_t mixed = mix64(key.hands ^ mix64(key.more ^ key.context * <uint64_t>0x9e3779b97f4a7c15))
    cdef size_t half = search.table_bytes >> 1      # the first one belongs to races
    return <PartyEntry*>(search.table + half + (mixed & (half - 64) & ~<uint64_t>63))


cdef inline void party_key(Search* search, State* state, int bound, PartyEntry* key) noexcept nogil:
    key.hands = state.hands[0] | <uint64_t>state.hands[1] << 32
    key.more = state.hands[2] | <uint64_t>party_tag(state, bound) << 32
    key.context = (<uint64_t>search.memory.stamp << 32 | <uint64_t>1 << 31
                   | state.pending[0] | state.pending[1] << 7 | state.pending[2] << 14)


cdef inline bint same_key(const PartyEntry* one, const PartyEntry* other) noexcept nogil:
    return one.hands == other.hands and one.more == other.more and one.context == other.context


cdef bint party_probe(Search* search, State* state, const PartyEntry* key, Box* box) noexcept nogil:
    cdef PartyEntry* entry = party_bucket(search, key)
    cdef int i, seat
    cdef bint inside
    for i in range(2):
        if not same_key(&entry[i], key):
            continue
        inside = True
        for seat in range(3):
            inside = inside and entry[i].low[seat] <= state.points[seat] <= entry[i].high[seat]
        if inside:
            box.reached = entry[i].reached
            for seat in range(3):
                box.low[seat] = entry[i].low[seat]
                box.high[seat] = entry[i].high[seat]
            return True
    return False


cdef void party_store(Search* search, PartyEntry* key, const Box* box) noexcept nogil:
    cdef PartyEntry* entry = party_bucket(search, key)
    cdef int seat
    key.reached = box.reached
    key.used = 1
    for seat in range(3):
        key.low[seat] = box.low[seat]
        key.high[seat] = box.high[seat]
    entry[1] = entry[0]         # the youngest first, the elder drops out
    entry[0] = key[0]


# ---- ordering ----

cdef int party_look(State* state, int card) noexcept nogil:
    """How good a card looks to the one who plays it."""
    cdef int best = state.trick[0], holder = state.leader, seat = actor(state)
    cdef int strength = card & 7, points = POINTS[strength]
    cdef int cost = points + (12 if card >> 3 == state.trump else 0) + strength
    cdef bint friends
    if state.played == 0:
        return points * 2 - (8 if card >> 3 == state.trump else 0)
    if state.played == 2 and beats(state.trick[1], best, state.trump):
        best = state.trick[1]
        holder = (state.leader + 1) % 3
    friends = (holder == state.pov) == (seat == state.pov)
    if beats(card, best, state.trump):
        return (10 if friends else 40) + (points if state.played == 2 else 0) - cost // 2
    return (points * 2 - strength) if friends else -cost


cdef int party_moves(State* state, int* cards) noexcept nogil:
    """The cards to be played, the best-looking first."""
    cdef uint32_t left = playable(state)
    cdef int looks[6]
    cdef int n = 0, i, card, look
    while left:
        card = lowest64(left)
        left &= left - 1
        look = party_look(state, card)
        i = n
        while i > 0 and looks[i - 1] < look:
            looks[i] = looks[i - 1]
            cards[i] = cards[i - 1]
            i -= 1
        looks[i] = look
        cards[i] = card
        n += 1
    return n


# ---- the search ----

cdef inline bint may_announce(State* state, int card) noexcept nogil:
    """Whether a lead may go with a marriage."""
    return (state.played == 0 and suit_of(state.hands[state.leader], card >> 3) & KING_QUEEN == KING_QUEEN
            and (card & 7 == 2 or (card & 7 == 3 and state.flags & EITHER)))


cdef Box party(Search* search, State* state, int bound) noexcept nogil:
    cdef PartyEntry key
    cdef Box box
    if over(state):
        return party_over(state, bound)
    if state.played > 0:
        return party_options(search, state, bound)
    if foregone(state, bound, &box):
        return box
    party_key(search, state, bound, &key)
    if party_probe(search, state, &key, &box):
        return box
    if tick(search):
        return everywhere(False)
    box = party_options(search, state, bound)
    if not search.aborted:
        widen(&box, state, bound)
        party_store(search, &key, &box)
    return box


cdef bint party_option(Search* search, State* state, State* child, int bound, Box* all) noexcept nogil:
    """Takes a move to `child` into account; true if it settles the matter."""
    cdef Box box = party(search, child, bound)
    before(&box, state, child)
    if search.aborted or box.reached == maximising(state):
        all[0] = box
        return True
    within(all, &box)
    return False


cdef Box party_options(Search* search, State* state, int bound) noexcept nogil:
    cdef Box all = everywhere(not maximising(state))
    cdef State child
    cdef int cards[6]
    cdef int i, n
    if state.played == 0 and is_open(state):
        if state.closing != NO_CLOSING:
            child = state[0]
            close(&child)
            if party_option(search, state, &child, bound, &all):
                return all
        if may_exchange(state):
            child = state[0]
            exchange(&child)
            if party_option(search, state, &child, bound, &all):
                return all
    n = party_moves(state, cards)
    for i in range(n):
        if may_announce(state, cards[i]):
            child = state[0]
            announce(&child, child.leader, cards[i] >> 3)
            put_card(&child, cards[i])
            if party_option(search, state, &child, bound, &all):
                return all
            if state.leader == state.pov or not points_may_hurt(state, bound):
                continue        # nothing speaks for leading it silently
        child = state[0]
        put_card(&child, cards[i])
        if party_option(search, state, &child, bound, &all):
            return all
    return all


cdef bint party_reaches(Search* search, State* state, int bound) noexcept nogil:
    cdef bint answer = party(search, state, bound if bound != 0 else 1).reached
    if bound == 0 or bound == 1:
        search.proved = 1 if answer else -1
    return answer
