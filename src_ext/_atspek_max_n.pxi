# Atspėk with three or four players each for himself (max^n, Luckhardt and Irani 1986): every seat wants most tricks for
# itself; of moves equal for it, the one with the smallest best opponent, then the first in listing order.
#
# What a seat can force against all others (its paranoid value) is the least it gets here too, and all tricks go to
# somebody; so these values, quick to find, bound every entry of the vector from both sides. Where they add up to the
# tricks of the deal they are the answer. Entries of the paranoid table are exact here as there.
#
# Unlike paranoid values a vector depends on which of two equal moves is listed first, and on the tricks won so far. So
# keys keep suits under their own names and the order of all cards in play, and two cards are twins only when no card in
# play of anybody lies between them.

cdef struct Vector:
    int8_t tricks[4]        # of each seat at the end of the deal


cdef struct Bounds:
    Vector low              # what each seat can force
    int spare               # tricks of the deal that nobody can force


# What a mover already has, elsewhere: a vector that is no better for him will not be chosen.
cdef struct Rival:
    int seat                # the mover, or -1
    int own
    int opponent            # tricks of his best opponent


# An entry before a trick, exact by construction: everything but which ranks are no longer in play.
#   key[0]  lengths of the suits, 4 x 4 bits | low bit of the owners of the cards in play, lowest first, 36 bits |
#           leader, 2 bits | trump, 2 bits | 1 with four players | tricks searched from here, 5 bits, 0: to the end
#   key[1]  high bit of the owners, 36 bits | tricks won by the first three, 3 x 4 bits | vector, 4 x 4 bits
#   key[2]  which of the cards in play lie on another, 36 bits | the first 4 cards under them, by place among those in
#           play, 4 x 6 bits
#   key[3]  the next 8
cdef enum:
    DEPTH = 57              # bit of key[0]
    VECTOR = 48             # bit of key[1]


cdef struct Party:
    Search* search
    Entry* table
    uint64_t mask           # of table places
    bint estimated          # something since this was cleared was an estimate


cdef inline int best_opponent(Vector* vector, int seat, int players) noexcept nogil:
    cdef int i, best = 0
    for i in range(players):
        if i != seat:
            best = max(best, <int>vector.tricks[i])
    return best


cdef inline bint beats_rival(int own, int opponent, Rival* rival) noexcept nogil:
    return own > rival.own or own == rival.own and opponent < rival.opponent


cdef int tricks_of_deal(State* state) noexcept nogil:
    """Those won and those to come, the one in progress included."""
    cdef int seat, total = popcount64(state.held[actor(state)])
    for seat in range(state.players):
        total += state.won[seat]
    return total


cdef void find_bounds(Search* search, State* state, Bounds* bounds, Bounds* parent, int mover) noexcept nogil:
    """What each seat can force, given what it could before a move of `mover`: he can force no more than then, the
    others no less. NULL: no move was made."""
    cdef State view = state[0]
    cdef int seat, first, low = 0, high = 0
    bounds.spare = tricks_of_deal(state)
    for seat in range(state.players):
        view.pov = seat
        span(&view, &low, &high)
        if parent == NULL:
            first = guess(search, &view)
        else:
            first = parent.low.tricks[seat]
            if seat == mover:
                high = min(high, first)
            else:
                low = max(low, first)
        bounds.low.tricks[seat] = settle(search, &view, low, high, first)
        bounds.spare -= bounds.low.tricks[seat]
    for seat in range(state.players, MAX_PLAYERS):
        bounds.low.tricks[seat] = 0


cdef bint hopeless(Bounds* bounds, Rival* rival, int players) noexcept nogil:
    """Whether nothing within bounds is better for the rival than what it has."""
    if rival.seat < 0:
        return False
    return not beats_rival(bounds.low.tricks[rival.seat] + bounds.spare,
                           best_opponent(&bounds.low, rival.seat, players), rival)


cdef void estimate(Party* party, State* state, Bounds* bounds, Vector* vector) noexcept nogil:
    """At the horizon: what each seat can force, and the spare tricks one by one to the seat that is farthest below its
    share of them by the regression of `guess`."""
    cdef State view = state[0]
    cdef int seat, most, wanted[4]
    vector[0] = bounds.low
    if bounds.spare == 0:
        return
    party.estimated = True
    for seat in range(state.players):
        view.pov = seat
        wanted[seat] = guess(NULL, &view)
    for _ in range(bounds.spare):
        most = 0
        for seat in range(1, state.players):
            if wanted[seat] - vector.tricks[seat] > wanted[most] - vector.tricks[most]:
                most = seat
        vector.tricks[most] += 1


cdef bint neighbour(State* state, const uint64_t* codes, int i) noexcept nogil:
    """Whether the move before is the same but for the names of the cards."""
    cdef uint64_t inplay = 0, between
    cdef int j
    if i == 0 or lowest64(codes[i]) >> 4 != lowest64(codes[i - 1]) >> 4:
        return False
    if state.under[lowest64(codes[i])] != NO_CARD or state.under[lowest64(codes[i - 1])] != NO_CARD:
        return False
    for j in range(state.players):
        inplay |= state.held[j]
    for j in range(state.played):
        inplay |= bit(state.trick[j])
    between = (codes[i - 1] - 1) & ~((codes[i] << 1) - 1)
    return not inplay & between


cdef uint64_t tops_of(State* state) noexcept nogil:
    """The cards that lie on another."""
    cdef uint64_t left = state.avail[0] | state.avail[1] | state.avail[2] | state.avail[3], tops = 0
    while left:
        if state.under[lowest64(left)] != NO_CARD:
            tops |= left & (0 - left)
        left &= left - 1
    return tops


cdef Entry* vector_key(Party* party, State* state, Entry* key) noexcept nogil:
    """Where a position before a trick is kept, and under which key."""
    cdef uint64_t inplay = state.held[0] | state.held[1] | state.held[2] | state.held[3], tops = tops_of(state), place
    cdef int i, n = 0
    key.key[0] = (lengths(inplay) | pext64(state.held[1] | state.held[3], inplay) << 16 | <uint64_t>state.leader << 52
                  | <uint64_t>state.trump << 54 | <uint64_t>(state.players == 4) << 56)
    key.key[1] = pext64(state.held[2] | state.held[3], inplay)
    for i in range(3):
        key.key[1] |= <uint64_t>state.won[i] << 36 + 4 * i
    key.key[2] = pext64(tops, inplay)
    key.key[3] = 0
    while tops:
        place = popcount64(inplay & bit(state.under[lowest64(tops)]) - 1)
        tops &= tops - 1
        if n < 4:
            key.key[2] |= place << 36 + 6 * n
        else:
            key.key[3] |= place << 6 * (n - 4)
        n += 1
    return &party.table[mixed_key(key) & party.mask]


cdef bint recalled(Party* party, Entry* place, Entry* key, int depth, Vector* vector) noexcept nogil:
    """What is kept for a position, if it was searched to the end or as deep as now."""
    cdef int i, kept = place.key[0] >> DEPTH
    if ((place.key[0] ^ key.key[0]) & (<uint64_t>1 << DEPTH) - 1
            or (place.key[1] ^ key.key[1]) & (<uint64_t>1 << VECTOR) - 1
            or place.key[2] != key.key[2] or place.key[3] != key.key[3] or kept != 0 and kept != depth):
        return False
    party.estimated |= kept != 0
    for i in range(4):
        vector.tricks[i] = place.key[1] >> VECTOR + 4 * i & 15
    return True


cdef void remember(Entry* place, Entry* key, int depth, Vector* vector) noexcept nogil:
    cdef int i
    key.key[0] |= <uint64_t>depth << DEPTH
    for i in range(4):
        key.key[1] |= <uint64_t>vector.tricks[i] << VECTOR + 4 * i
    place[0] = key[0]


cdef bint vector_of(Party* party, State* state, int depth, Bounds* bounds, Rival* rival, Vector* vector) noexcept nogil:
    """The vector of a position whose bounds are known, searching `depth` tricks before estimating. False where it is of
    no use to the rival (or a limit was met): then there is none."""
    cdef Entry key
    cdef Entry* place
    cdef bint before = party.estimated, found
    if bounds.spare == 0:
        vector[0] = bounds.low
        return True
    if state.played:
        return chosen(party, state, depth, bounds, rival, vector)
    if depth == 0:
        estimate(party, state, bounds, vector)
        return True
    place = vector_key(party, state, &key)
    if recalled(party, place, &key, depth, vector):
        return True
    party.estimated = False
    found = chosen(party, state, depth, bounds, rival, vector)
    if found:
        remember(place, &key, depth if party.estimated else 0, vector)
    party.estimated |= before
    return found


cdef bint outdone(Bounds* bounds, Rival* own, Rival* rival, int players) noexcept nogil:
    """Whether a mover who gets at least own.own leaves the rival, another seat, nothing better than it has."""
    cdef Bounds left = bounds[0]
    left.low.tricks[own.seat] = own.own
    left.spare -= own.own - bounds.low.tricks[own.seat]
    return hopeless(&left, rival, players)


cdef int most_promising(Bounds* known, bint* waiting, int n, int seat) noexcept nogil:
    """The waiting child in which a seat can force most, or -1."""
    cdef int i, most = -1
    for i in range(n):
        if waiting[i] and (most < 0 or known[i].low.tricks[seat] > known[most].low.tricks[seat]):
            most = i
    return most


cdef int children_of(Party* party, State* state, Bounds* bounds, uint64_t* codes, State* children, Bounds* known,
                     bint* waiting) noexcept nogil:
    """All moves; where they lead and what is forced there, but for those that are as good as their neighbour."""
    cdef int i, n = legal(state, codes)
    for i in range(n):
        waiting[i] = not neighbour(state, codes, i)
        if waiting[i]:
            children[i] = state[0]
            apply(&children[i], codes[i])
            find_bounds(party.search, &children[i], &known[i], bounds, actor(state))
    return n


cdef bint chosen(Party* party, State* state, int depth, Bounds* bounds, Rival* rival, Vector* vector) noexcept nogil:
    """The vector of the move that the mover chooses."""
    cdef uint64_t codes[MAX_MOVES]
    cdef State children[MAX_MOVES]
    cdef Bounds known[MAX_MOVES]
    cdef bint waiting[MAX_MOVES]
    cdef Vector found
    cdef Rival own          # the best so far; a tie goes to the move listed first
    cdef int i, n, best = -1
    if tick(party.search):
        return False
    n = children_of(party, state, bounds, codes, children, known, waiting)
    own.seat = actor(state)
    while not party.search.aborted:
        i = most_promising(known, waiting, n, own.seat)
        if i < 0:
            break
        waiting[i] = False
        if best < 0:
            own.own = known[i].low.tricks[own.seat]
            own.opponent = MORE_THAN_ALL
        own.opponent += i < best
        if (not hopeless(&known[i], &own, state.players)
                and vector_of(party, &children[i], depth - (children[i].played == 0), &known[i], &own, &found)
                and beats_rival(found.tricks[own.seat], best_opponent(&found, own.seat, state.players), &own)):
            best = i
            vector[0] = found
            own.own = found.tricks[own.seat]
            own.opponent = best_opponent(&found, own.seat, state.players)
            if rival.seat >= 0 and rival.seat != own.seat and outdone(bounds, &own, rival, state.players):
                return False
        else:
            own.opponent -= i < best
    return best >= 0 and not party.search.aborted


# ---- the class ----

cdef void rough(Party* party, State* state, Vector* vectors) noexcept nogil:
    """Estimates after every move, when there was no time even for what can be forced."""
    cdef uint64_t codes[MAX_MOVES]
    cdef State child
    cdef Bounds won
    cdef int i, seat, n = legal(state, codes)
    for i in range(n):
        child = state[0]
        apply(&child, codes[i])
        won.spare = tricks_of_deal(&child)
        for seat in range(MAX_PLAYERS):
            won.low.tricks[seat] = child.won[seat]
            won.spare -= child.won[seat]
        estimate(party, &child, &won, &vectors[i])


cdef int deepen(Party* party, State* state, uint64_t* codes, Vector* vectors, bint* exact_now) noexcept nogil:
    """Every move with its vector, from the deepest iteration that was finished; how many tricks deep that is."""
    cdef State children[MAX_MOVES]
    cdef Bounds known[MAX_MOVES]
    cdef bint waiting[MAX_MOVES]
    cdef Vector found[MAX_MOVES]
    cdef Bounds bounds
    cdef Rival nobody
    cdef int i, n, depth = 0, deepest = popcount64(state.held[actor(state)])
    nobody.seat = -1
    fresh(party.search, state)
    find_bounds(party.search, state, &bounds, NULL, -1)
    n = children_of(party, state, &bounds, codes, children, known, waiting)
    exact_now[0] = False
    if party.search.aborted:
        rough(party, state, vectors)
        return 0
    for depth in range(deepest + 1):
        party.estimated = False
        for i in range(n):
            if not waiting[i]:
                found[i] = found[i - 1]
            elif depth == 0:
                estimate(party, &children[i], &known[i], &found[i])
            elif not vector_of(party, &children[i], depth - (children[i].played == 0), &known[i], &nobody, &found[i]):
                return depth - 1
        memcpy(vectors, found, n * sizeof(Vector))
        exact_now[0] = not party.estimated
        if exact_now[0]:
            break
    return depth


cdef class MaxN(Solver):
    """Positions of three and more players, each for himself. Of its table one half is for what a seat can force."""

    cdef Party party

    def __cinit__(self, double table_mb=64):
        cdef size_t half = self.search.table_bytes // 2
        self.search.table_bytes = half
        self.party.table = <Entry*>(self.search.table + half)
        self.party.mask = half // sizeof(Entry) - 1

    def vectors(self, rows, *, stop=None, double seconds=math.inf, int64_t nodes=0):
        """Counts int32[n], codes uint64[n, MAX_MOVES], vectors int32[n, MAX_MOVES, 4], depths int32[n], exact uint8[n],
        nodes int64[n]: every legal move, in listing order, with the tricks that each seat has at the end.

        depths: how many tricks were searched before estimating, in the deepest iteration that was finished; -1 where the
        limit was met before the row was looked at. exact: 1 where nothing was estimated.

        An estimate is what each seat can force (0: or has won, when there was no time for that), and the tricks left over
        one by one to the seat that is farthest below its share of the deal, by a regression on trumps and high cards.
        """
        cdef const int64_t[:, ::1] view = checked(rows)
        cdef Py_ssize_t i, n = view.shape[0]
        cdef int j, seat, count
        counts = np.zeros(n, np.int32)
        codes = np.zeros((n, MAX_MOVES), np.uint64)
        vectors = np.zeros((n, MAX_MOVES, 4), np.int32)
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
                        for seat in range(4):
                            vectors_view[i, j, seat] = found[j].tricks[seat] if depths_view[i] >= 0 else 0
        finally:
            self.busy = False
        return counts, codes, vectors, depths, exact_to_the_end, visited
