# Velnio tuzinas, three and more players each for himself (max^n, Luckhardt and Irani 1986): every seat wants the
# largest margin for itself; of moves equal for it, the one with the smallest best opponent, then the first in listing
# order.
#
# Who leads the table by a margin of m > 0 has -m as the margin of his best opponent, and no other seat has more than
# -m. That makes the two cuts here exact: nothing beats the most a mover can still get when that is above 0 (a tie goes
# to the move listed first), and what leaves the mover before too little is no use to him (only the mover just before:
# deeper cuts are not sound in max^n).

cdef struct Vector:
    int8_t[8] margins       # of each seat, as its value would be were it the pov


cdef struct VectorSpot:
    uint64_t[3] hands       # as in Spot
    uint64_t rest           # points, 8 x 4 bits | generation, 12 | leader, 3 | rounds, 5 | tricks searched, 6, 0: all
    Vector vector


# What the mover before has already.
cdef struct Rival:
    int seat                # -1: nobody
    int own                 # his margin
    int opponent            # that of his best opponent


cdef struct Company:
    Search* search
    VectorSpot* table
    uint64_t places         # in the table
    int64_t deal            # the table was last used for, as Memory counts them
    int generation          # of its entries, from 1 on
    bint estimated          # something since this was cleared was an estimate


cdef enum:
    DEPTH_BITS = 6          # the lowest of VectorSpot.rest
    BELOW_ALL = -100        # less than any margin


cdef int best_opponent(Vector* vector, int seat, int players) noexcept nogil:
    cdef int other, best = BELOW_ALL
    for other in range(players):
        if other != seat:
            best = max(best, <int>vector.margins[other])
    return best


cdef inline bint beats_rival(int own, int opponent, Rival* rival) noexcept nogil:
    return own > rival.own or (own == rival.own and opponent < rival.opponent)


cdef void margins_now(State* state, Vector* vector) noexcept nogil:
    """As the points stand: what the deal brings when it is over, and the estimate at the horizon."""
    cdef int seat, points, first = -1, second = -1
    memset(vector, 0, sizeof(Vector))
    for seat in range(state.players):
        points = min(<int>state.points[seat], GOAL)
        if points > first:
            first, second = points, first
        elif points > second:
            second = points
    for seat in range(state.players):
        points = min(<int>state.points[seat], GOAL)
        vector.margins[seat] = points - (second if points == first else first)


cdef int most_margin(State* state, int seat) noexcept nogil:
    """No seat can end with more."""
    cdef int other, best = 0
    cdef int cards = popcount64(state.hands[seat]) + state.rounds
    if state.size:
        cards = max(cards, popcount64(state.hands[state.leader]) + state.size + state.rounds)
    for other in range(state.players):
        if other != seat:
            best = max(best, <int>state.points[other])
    return min(state.points[seat] + most_points(cards), GOAL) - best


cdef VectorSpot* vector_key(Company* company, State* state, VectorSpot* key) noexcept nogil:
    """Fills in the key, all but the depth, and says where it belongs."""
    cdef int seat
    memset(key, 0, sizeof(VectorSpot))
    for seat in range(state.players):
        key.hands[seat // 3] |= folded(state.hands[seat]) << (18 * (seat % 3))
        key.rest = key.rest << 4 | <uint64_t>state.points[seat]
    key.rest = (key.rest << 12 | <uint64_t>company.generation) << 3 | <uint64_t>state.leader
    key.rest = (key.rest << 5 | <uint64_t>state.rounds) << DEPTH_BITS
    return &company.table[mix64(key.hands[0] ^ mix64(key.hands[1] ^ mix64(key.hands[2] ^ key.rest))) % company.places]


cdef bint recalled(Company* company, VectorSpot* spot, VectorSpot* key, int depth, Vector* vector) noexcept nogil:
    """What is kept for a position, if it was searched to the end or as deep as now."""
    cdef int kept = spot.rest & ((1 << DEPTH_BITS) - 1)
    if (spot.rest >> DEPTH_BITS != key.rest >> DEPTH_BITS or spot.hands[0] != key.hands[0]
            or spot.hands[1] != key.hands[1] or spot.hands[2] != key.hands[2] or (kept != 0 and kept != depth)):
        return False
    company.estimated |= kept != 0
    vector[0] = spot.vector
    return True


cdef bint vector_of(Company* company, State* state, int depth, Rival* rival, Vector* vector) noexcept nogil:
    """The vector of a position, searching `depth` tricks before estimating. False where it is of no use to the rival
    (or a limit was met): then there is none."""
    cdef VectorSpot key
    cdef VectorSpot* spot
    cdef bint before = company.estimated, found
    if finished(state):
        margins_now(state, vector)
        return True
    if state.played:
        return chosen(company, state, depth, rival, vector)
    if depth == 0:
        company.estimated = True
        margins_now(state, vector)
        return True
    spot = vector_key(company, state, &key)
    if recalled(company, spot, &key, depth, vector):
        return True
    company.estimated = False
    found = chosen(company, state, depth, rival, vector)
    if found:
        key.rest |= depth if company.estimated else 0
        key.vector = vector[0]
        spot[0] = key
    company.estimated |= before
    return found


cdef bint chosen(Company* company, State* state, int depth, Rival* rival, Vector* vector) noexcept nogil:
    """The vector of the move that the mover chooses."""
    cdef uint64_t[MAX_MOVES] codes
    cdef State child
    cdef Vector found
    cdef Rival own
    cdef int i, n, most
    if tick(company.search):
        return False
    n = legal(state, codes)
    own.seat = actor(state)
    own.own = own.opponent = BELOW_ALL
    most = most_margin(state, own.seat)
    for i in range(n):
        child = state[0]
        apply(&child, codes[i])
        if not vector_of(company, &child, depth - (child.played == 0), &own, &found):
            if company.search.aborted:
                return False
            continue
        if i > 0 and not beats_rival(found.margins[own.seat], best_opponent(&found, own.seat, state.players), &own):
            continue
        vector[0] = found
        own.own = found.margins[own.seat]
        own.opponent = best_opponent(&found, own.seat, state.players)
        if own.own > 0:
            if rival.seat >= 0 and rival.seat != own.seat and not beats_rival(-own.own, own.own, rival):
                return False
            if own.own >= most:
                break
    return True


# ---- the class ----

cdef void same_deal(Company* company, State* state) noexcept nogil:
    """Another deal's vectors are of another generation; when the numbers run out the table is cleared."""
    fresh(company.search, state)
    if company.search.memory.deal == company.deal:
        return
    company.deal = company.search.memory.deal
    company.generation += 1
    if company.generation == GENERATIONS:
        memset(company.table, 0, company.places * sizeof(VectorSpot))
        company.generation = 1


cdef int deepen(Company* company, State* state, Vector* vectors, bint* exact_now) noexcept nogil:
    """Every move with its vector, from the deepest iteration that was finished; how many tricks deep that is, -1 where
    none was."""
    cdef uint64_t[MAX_MOVES] codes
    cdef State child
    cdef Vector[MAX_MOVES] found
    cdef Rival nobody
    cdef int i, n = legal(state, codes), depth = 0
    nobody.seat = -1
    nobody.own = nobody.opponent = BELOW_ALL
    exact_now[0] = False
    while True:
        company.estimated = False
        for i in range(n):
            child = state[0]
            apply(&child, codes[i])
            if not vector_of(company, &child, depth + (child.played != 0), &nobody, &found[i]):
                return depth - 1
        memcpy(vectors, found, n * sizeof(Vector))
        exact_now[0] = not company.estimated
        if exact_now[0]:
            return depth
        depth += 1


cdef class MaxN(Solver):
    """Positions of three and more players, each for himself. One half of its table is for these, one for all else."""

    cdef Company company

    def __cinit__(self, double table_mb=64):
        cdef size_t half = self.search.table_bytes // 2
        self.search.table_bytes = half
        self.company.table = <VectorSpot*>(self.search.table + half)
        self.company.places = half // sizeof(VectorSpot)

    def vectors(self, rows, *, stop=None, double seconds=math.inf, int64_t nodes=0):
        """Counts int32[n], codes uint64[n, MAX_MOVES], vectors int32[n, MAX_MOVES, 8], depths int32[n], exact uint8[n],
        nodes int64[n]: every legal move, in listing order, with the margin that each seat ends with.

        depths: how many tricks beyond the running one (or the next, at a trick's start) were searched before the
        margins as they stood were taken for an estimate, -1 where a limit was met before there was any answer. exact:
        1 where nothing was estimated.
        """
        cdef const int64_t[:, ::1] view = checked(rows)
        cdef Py_ssize_t i, n = view.shape[0]
        cdef int j, seat, count
        counts = np.zeros(n, np.int32)
        codes = np.zeros((n, MAX_MOVES), np.uint64)
        vectors = np.zeros((n, MAX_MOVES, 8), np.int32)
        depths = np.full(n, -1, np.int32)
        exact_to_the_end = np.zeros(n, np.uint8)
        visited = np.zeros(n, np.int64)
        cdef int32_t[::1] counts_view = counts
        cdef uint64_t[:, ::1] codes_view = codes
        cdef int32_t[:, :, ::1] vectors_view = vectors
        cdef int32_t[::1] depths_view = depths
        cdef uint8_t[::1] exact_view = exact_to_the_end
        cdef int64_t[::1] visited_view = visited
        cdef Vector[MAX_MOVES] found
        cdef State state
        cdef bint proved = False
        cdef int64_t before
        self.enter(stop, seconds, nodes)
        self.company.search = &self.search
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
                    same_deal(&self.company, &state)
                    depths_view[i] = deepen(&self.company, &state, found, &proved)
                    exact_view[i] = proved
                    visited_view[i] = self.search.nodes - before
                    if depths_view[i] >= 0:
                        for j in range(count):
                            for seat in range(8):
                                vectors_view[i, j, seat] = found[j].margins[seat]
        finally:
            self.busy = False
        return counts, codes, vectors, depths, exact_to_the_end, visited
