# Three players each for himself (max^n, Luckhardt and Irani 1986): every seat wants most eyes for itself; of moves equal for
# it, the one with the smallest best opponent, then the first in listing order.
#
# Once somebody has closed, the two others want the same thing, and the answer is that of two sides. Before that, what a
# seat can force against all others is the least it gets here too, and the eyes of a win now are the most it can get: if
# the two meet, they are the answer, as long as nobody can still choose to fail a closing instead.

ctypedef struct Vector:
    int8_t eyes[3]          # of each seat, as its value would be were it the pov

# The table is exact: key and points are all that a vector depends on. See PartyEntry for the key.
ctypedef struct VectorEntry:
    uint64_t hands
    uint64_t more
    uint64_t context
    uint8_t points[3]
    int8_t eyes[3]
    uint8_t depth           # tricks searched before something was estimated, 0: nothing was
    uint8_t used

# What the mover before has already: a vector that is no better for him is of no use.
ctypedef struct Rival:
    int seat                # NOBODY if there is none
    int own                 # his eyes
    int opponent            # those of his best opponent

ctypedef struct Party:
    Search* search
    VectorEntry* table
    uint64_t places         # in the table, less 1
    bint estimated          # something since this was cleared was an estimate

cdef enum:
    NO_VECTOR = -100        # less than any eyes


cdef inline int best_opponent(const Vector* vector, int seat) noexcept nogil:
    return max(vector.eyes[(seat + 1) % 3], vector.eyes[(seat + 2) % 3])


cdef inline void wins_with(Vector* vector, int seat, int eyes) noexcept nogil:
    cdef int other
    for other in range(3):
        vector.eyes[other] = eyes if other == seat else -eyes


cdef void finished_vector(State* state, Vector* vector) noexcept nogil:
    cdef int seat
    for seat in range(3):
        vector.eyes[seat] = eyes(state, seat)


cdef bint closed_vector(Party* party, State* state, Vector* vector) noexcept nogil:
    """The closer against the two others: what he gets, each of them loses."""
    cdef State view = state[0]
    cdef int low = -closing_penalty(state), high = winning_eyes(state, state.closed_by)
    view.pov = state.closed_by
    wins_with(vector, state.closed_by, settle(party.search, &view, low, high, high))
    return not party.search.aborted


cdef bint forced_vector(Party* party, State* state, Vector* vector) noexcept nogil:
    """Whether a seat can force the most that it could get."""
    cdef State view = state[0]
    cdef int i, seat, most
    for i in range(3):
        seat = (state.leader + i) % 3
        most = winning_eyes(state, seat)
        if is_open(state) and state.closing != NO_CLOSING and (most > 1 or state.penalty == 1):
            continue        # who loses so much may rather fail a closing
        view.pov = seat
        if party_reaches(party.search, &view, most) and not party.search.aborted:
            wins_with(vector, seat, most)
            return True
    return False


cdef void estimate(Party* party, State* state, Vector* vector) noexcept nogil:
    """At the horizon: one eye for the seat with most points, those of its hand and pending ones included."""
    cdef int i, seat, points, best = -1, winner = state.leader
    for i in range(3):
        seat = (state.leader + i) % 3
        points = state.points[seat] + state.pending[seat] + points_of(state.hands[seat]) + marriages(state.hands[seat])
        if points > best:
            best = points
            winner = seat
    wins_with(vector, winner, 1)
    party.estimated = True


# ---- the table ----

cdef VectorEntry* vector_key(Party* party, State* state, VectorEntry* key) noexcept nogil:
    """Where a position before a trick is kept, and under which key."""
    cdef PartyEntry names
    cdef State view = state[0]
    cdef int seat
    view.pov = 0
    party_key(party.search, &view, -3, &names)
    key.hands = names.hands
    key.more = names.more
    key.context = names.context
    for seat in range(3):
        key.points[seat] = state.points[seat]
    return &party.table[mix64(key.hands ^ mix64(key.more ^ key.context * <uint64_t>0x9e3779b97f4a7c15
                              ^ mix64(state.points[0] | state.points[1] << 8 | state.points[2] << 16))) & party.places]


cdef bint recalled(Party* party, const VectorEntry* place, const VectorEntry* key, int depth, Vector* vector) noexcept nogil:
    """What is kept for a position, if it was searched to the end or as deep as now."""
    cdef int seat
    if (place.hands != key.hands or place.more != key.more or place.context != key.context
            or (place.depth != 0 and place.depth != depth)):
        return False
    for seat in range(3):
        if place.points[seat] != key.points[seat]:
            return False
        vector.eyes[seat] = place.eyes[seat]
    party.estimated |= place.depth != 0
    return True


cdef void remember(VectorEntry* place, VectorEntry* key, int depth, const Vector* vector) noexcept nogil:
    cdef int seat
    key.depth = depth
    key.used = 1
    for seat in range(3):
        key.eyes[seat] = vector.eyes[seat]
    place[0] = key[0]


# ---- the search ----

cdef bint of_no_use(State* state, const Rival* rival, int mover, int own) noexcept nogil:
    """Whether the rival, another seat, gets no more than he has once the mover gets at least `own`. Not while a closing
    may yet fail: then two can win."""
    if rival.seat == NOBODY or rival.seat == mover or is_open(state):
        return False
    return own > 0 and -own <= rival.own


cdef inline bint no_better(State* state, const Rival* rival) noexcept nogil:
    """Whether the most eyes that the rival can still win are not more than he has."""
    cdef int most = winning_eyes(state, rival.seat)
    return most < rival.own or (most == rival.own and rival.opponent == -most)


cdef bint vector_of(Party* party, State* state, int depth, const Rival* rival, Vector* vector) noexcept nogil:
    """The vector of a position, searching `depth` tricks before estimating. False where it is of no use to the rival, or a
    limit was met: then there is none."""
    cdef VectorEntry key
    cdef VectorEntry* place
    cdef bint before = party.estimated, found
    if over(state):
        finished_vector(state, vector)
        return True
    if state.closed_by != NOBODY:
        return closed_vector(party, state, vector)
    if state.played > 0:
        return chosen(party, state, depth, rival, vector)
    if rival.seat != NOBODY and not is_open(state) and no_better(state, rival):
        return False
    place = vector_key(party, state, &key)
    if recalled(party, place, &key, depth, vector):
        return True
    party.estimated = False
    found = forced_vector(party, state, vector)
    if not found and not party.search.aborted:
        if depth == 0:
            estimate(party, state, vector)
            found = True
        else:
            found = chosen(party, state, depth, rival, vector)
    if found and not (party.estimated and depth == 0):
        remember(place, &key, depth if party.estimated else 0, vector)
    party.estimated |= before
    return found and not party.search.aborted


cdef bint chosen(Party* party, State* state, int depth, const Rival* rival, Vector* vector) noexcept nogil:
    """The vector of the move that the mover chooses."""
    cdef uint64_t codes[MAX_MOVES]
    cdef State child
    cdef Vector found
    cdef Rival own
    cdef int i, n = legal(state, codes)
    if tick(party.search):
        return False
    own.seat = actor(state)
    own.own = NO_VECTOR
    own.opponent = 0
    for i in range(n):
        child = state[0]
        apply(&child, codes[i])
        if not vector_of(party, &child, depth - (state.played == 2), &own, &found):
            if party.search.aborted:
                return False
            continue
        if found.eyes[own.seat] > own.own or (found.eyes[own.seat] == own.own and best_opponent(&found, own.seat) < own.opponent):
            own.own = found.eyes[own.seat]
            own.opponent = best_opponent(&found, own.seat)
            vector[0] = found
            if own.own == 3 and own.opponent == -3:
                break
            if not is_open(state) and own.own == winning_eyes(state, own.seat):
                break
            if of_no_use(state, rival, own.seat, own.own):
                return False
    return True


cdef int deepen(Party* party, State* state, uint64_t* codes, Vector* vectors, bint* exact_now) noexcept nogil:
    """Every move with its vector, from the deepest iteration that was finished; how many tricks deep that is. For depth 0
    nothing is searched."""
    cdef State child
    cdef Vector found[MAX_MOVES]
    cdef Rival nobody
    cdef int i, depth = 0, n = legal(state, codes)
    cdef int deepest = popcount64(state.hands[actor(state)]) + (state.stock_size - state.next) // 3
    nobody.seat = NOBODY
    nobody.own = NO_VECTOR
    nobody.opponent = 0
    exact_now[0] = n == 0
    if n == 0:
        return 0
    fresh(party.search, state)
    for depth in range(deepest + 1):
        party.estimated = False
        for i in range(n):
            child = state[0]
            apply(&child, codes[i])
            if depth == 0 and over(&child):
                finished_vector(&child, &found[i])
            elif depth == 0:
                estimate(party, &child, &found[i])
            elif not vector_of(party, &child, depth - (state.played == 2), &nobody, &found[i]):
                return depth - 1
        memcpy(vectors, found, n * sizeof(Vector))
        exact_now[0] = not party.estimated
        if exact_now[0]:
            break
    return depth


# ---- the class ----

cdef class MaxN(Solver):
    """Positions of three players, each for himself. Of its table one half is for what a seat can force."""

    cdef Party party

    def __cinit__(self, double table_mb=64):
        cdef size_t half = self.search.table_bytes // 2
        self.search.table_bytes = half
        self.party.table = <VectorEntry*>(self.search.table + half)
        self.party.places = half // sizeof(VectorEntry) - 1

    def vectors(self, rows, *, stop=None, double seconds=math.inf, int64_t nodes=0):
        """Counts int32[n], codes uint64[n, MAX_MOVES], vectors int32[n, MAX_MOVES, 3], depths int32[n], exact uint8[n],
        nodes int64[n]: every legal move, in listing order, with the eyes of each seat.

        depths: how many tricks were searched before estimating.
        exact: 1 where nothing was estimated. Raises ValueError for positions of two players.
        """
        cdef const int64_t[:, ::1] view = checked(rows)
        cdef Py_ssize_t i, n = view.shape[0]
        cdef int j, seat, count
        counts = np.zeros(n, np.int32)
        codes = np.zeros((n, MAX_MOVES), np.uint64)
        vectors = np.zeros((n, MAX_MOVES, 3), np.int32)
        depths = np.full(n, -1, np.int32)
        exact_to_the_end = np.zeros(n, np.uint8)
        visited = np.zeros(n, np.int64)
        cdef int32_t[::1] counts_view = counts
        cdef uint64_t[:, ::1] codes_view = codes
        cdef int32_t[:, :, ::1] vectors_view = vectors
        cdef int32_t[::1] depths_view = depths
        cdef uint8_t[::1] exact_view = exact_to_the_end
        cdef int64_t[::1] visited_view = visited
        cdef Vector found[MAX_MOVES]
        cdef State state
        cdef bint proved = False
        cdef int64_t before
        for i in range(n):
            if view[i, 28] != 3:
                raise ValueError(f"row {i}: each for himself is a question for three players")
        self.enter(stop, seconds, nodes)
        self.party.search = &self.search
        try:
            with nogil:
                for i in range(n):
                    look(&self.search)
                    if self.search.aborted:
                        break
                    before = self.search.nodes
                    unpack(&view[i, 0], &state)
                    count = legal(&state, &codes_view[i, 0])
                    counts_view[i] = count
                    depths_view[i] = deepen(&self.party, &state, &codes_view[i, 0], found, &proved)
                    exact_view[i] = proved
                    visited_view[i] = self.search.nodes - before
                    for j in range(count):
                        for seat in range(3):
                            vectors_view[i, j, seat] = found[j].eyes[seat] if depths_view[i] >= 0 else 0
        finally:
            self.busy = False
        return counts, codes, vectors, depths, exact_to_the_end, visited
