# What a move is worth to somebody who sees his own cards alone, as a small network judges it, and how the network is
# taught: it plays against itself, and what it thought of a move is pulled towards what came of it.
#
# A kernel that includes this says beforehand how many RANKS and INPUTS there are, and what a Recall is; and afterwards
# how a deal begins (`shuffled`), what a seat recalls (`sensible`, `recollect`, `recollect_both`), what the inputs of a
# seat and of its moves are (`see_all`, `see_move`), and what it is ahead by (`ahead`). Inputs must depend on nothing
# that the seat cannot see.

from libc.stdlib cimport free, malloc

cdef extern from "_bits.h" nogil:
    void add_scaled(float* sums, const float* terms, float amount, int n)


cpdef enum:
    HIDDEN = 128            # units of the first layer
    SECOND = 32             # and of the second
    UNIT = 8                # points that count 1 in the network

cdef enum:
    MOST_SEEN = 112         # inputs that are not 0
    MOST_OWN = 32           # moves of one seat in a deal

cdef float LEAK = 0.01      # slope of a unit below 0


cdef struct Network:        # float32[NETWORK]
    float[INPUTS][HIDDEN] first
    float[HIDDEN] first_bias
    float[HIDDEN][SECOND] second
    float[SECOND] second_bias
    float[SECOND] third
    float bias


NETWORK = sizeof(Network) // sizeof(float)
LAYERS = {
    "first": (INPUTS, HIDDEN), "first_bias": (HIDDEN,),
    "second": (HIDDEN, SECOND), "second_bias": (SECOND,),
    "third": (SECOND,), "bias": (1,),
}


cdef struct Sight:          # the inputs that are not 0
    int n
    int16_t[MOST_SEEN] place
    float[MOST_SEEN] amount


cdef struct Choice:         # a move that was made
    Sight all               # what the seat saw, whatever it was to play
    Sight move              # and what the move adds
    float judged            # the value of the move, in units
    float best              # that of the move thought best
    float ahead             # by how many units the seat was ahead
    bint astray             # another one than that was tried


cdef inline void see(Sight* sight, int place, float amount) noexcept nogil:
    INVARIANT(sight.n < MOST_SEEN and 0 <= place < INPUTS)
    sight.place[sight.n] = place
    sight.amount[sight.n] = amount
    sight.n += 1


cdef inline uint64_t suit_at(uint64_t cards, int suit) noexcept nogil:
    """The cards of a suit, by strength from bit 0."""
    return cards >> 16 * suit & ((1 << RANKS) - 1)


cdef void rank_suits(uint64_t* keys, int trump, int* places) noexcept nogil:
    """The places of the suits, so that like positions are seen alike: trumps first, then by falling keys."""
    cdef int suit, other
    keys[trump] = ~<uint64_t>0
    for suit in range(4):
        places[suit] = 0
        for other in range(4):
            if keys[other] > keys[suit] or keys[other] == keys[suit] and other < suit:
                places[suit] += 1


cdef inline void see_cards(Sight* sight, uint64_t cards, const int* places, int first) noexcept nogil:
    """An input for every card, from `first` on by place of its suit and strength."""
    cdef int card
    while cards:
        card = lowest64(cards)
        cards &= cards - 1
        see(sight, first + RANKS * places[card >> 4] + (card & 15), 1)


cdef void add(const Network* network, const Sight* sight, float* sums) noexcept nogil:
    """The first layer's sums, with some more inputs."""
    cdef int i
    for i in range(sight.n):
        add_scaled(sums, network.first[sight.place[i]], sight.amount[i], HIDDEN)


cdef inline float unit(float total) noexcept nogil:
    """What a unit says (Maas, Hannun and Ng 2013: the leaky rectifier)."""
    return total if total > 0 else LEAK * total


cdef float output(const Network* network, float* first, float* second) noexcept nogil:
    """The output. first: the sums of the first layer, which become what its units say; second: what the next ones say."""
    cdef float total = network.bias
    cdef int i
    memcpy(second, network.second_bias, sizeof(network.second_bias))
    for i in range(HIDDEN):
        first[i] = unit(first[i])
        add_scaled(second, network.second[i], first[i], SECOND)
    for i in range(SECOND):
        second[i] = unit(second[i])
        total += second[i] * network.third[i]
    return total


cdef double pull(const Network* network, Network* slopes, const Choice* choice, float target) noexcept nogil:
    """Adds the slopes of half the squared error of a choice's value, and returns the squared error."""
    cdef float[HIDDEN] first
    cdef float[HIDDEN] back
    cdef float[SECOND] second
    cdef float[SECOND] back_second
    cdef float error, total
    cdef int i, j
    memcpy(first, network.first_bias, sizeof(network.first_bias))
    add(network, &choice.all, first)
    add(network, &choice.move, first)
    error = output(network, first, second) - target
    slopes.bias += error
    for j in range(SECOND):
        back_second[j] = error * network.third[j] * (1 if second[j] > 0 else LEAK)
    add_scaled(slopes.third, second, error, SECOND)
    add_scaled(slopes.second_bias, back_second, 1, SECOND)
    for i in range(HIDDEN):
        add_scaled(slopes.second[i], back_second, first[i], SECOND)
        total = 0
        for j in range(SECOND):
            total += network.second[i][j] * back_second[j]
        back[i] = total * (1 if first[i] > 0 else LEAK)
    add_scaled(slopes.first_bias, back, 1, HIDDEN)
    push(slopes, &choice.all, back)
    push(slopes, &choice.move, back)
    return error * error


cdef void push(Network* slopes, const Sight* sight, const float* back) noexcept nogil:
    """The slopes of the inputs' weights."""
    cdef int i
    for i in range(sight.n):
        add_scaled(slopes.first[sight.place[i]], back, sight.amount[i], HIDDEN)


cdef int judge(
    const Network* network, State* state, Recall* recall, const uint64_t* codes, int n, Sight* all, Sight* moves,
    float* values
) noexcept nogil:
    """The value of every legal move to the seat to move, in units; returns the place of the best."""
    cdef float[HIDDEN] shared
    cdef float[HIDDEN] first
    cdef float[SECOND] second
    cdef int i, best = 0
    memcpy(shared, network.first_bias, sizeof(network.first_bias))
    all.n = 0
    see_all(state, recall, all)
    add(network, all, shared)
    for i in range(n):
        memcpy(first, shared, sizeof(shared))
        moves[i].n = 0
        see_move(state, recall, codes[i], &moves[i])
        add(network, &moves[i], first)
        values[i] = output(network, first, second)
        if values[i] > values[best]:
            best = i
    return best


cdef inline uint64_t drawn(uint64_t* random) noexcept nogil:
    """The next number of a sequence (Steele, Lea and Flood 2014: SplitMix)."""
    random[0] += 0x9e3779b97f4a7c15u
    return mix64(random[0])


cdef inline int below(uint64_t* random, int size) noexcept nogil:
    return ((drawn(random) >> 32) * size) >> 32


cdef inline double share(uint64_t* random) noexcept nogil:
    return (drawn(random) >> 11) * (1.0 / 9007199254740992.0)


cdef void play_deal(
    const Network* network, uint64_t* random, double astray, Choice* choices, int* made, float* ends
) noexcept nogil:
    """A deal between two that play what the network thinks best, or once in a while any move: the choices of both."""
    cdef State state
    cdef Recall[2] recalls
    cdef uint64_t[MAX_MOVES] codes
    cdef Sight[MAX_MOVES] moves
    cdef float[MAX_MOVES] values
    cdef Choice* choice
    cdef int n, seat, best, taken
    shuffled(&state, random)
    memset(recalls, 0, sizeof(recalls))
    made[0] = made[1] = 0
    n = legal(&state, codes)
    while n:
        seat = actor(&state)
        choice = &choices[MOST_OWN * seat + made[seat]]
        made[seat] += 1
        best = judge(network, &state, &recalls[seat], codes, n, &choice.all, moves, values)
        taken = below(random, n) if share(random) < astray else best
        choice.move = moves[taken]
        choice.judged, choice.best = values[taken], values[best]
        choice.ahead = ahead(&state, seat) / <float>UNIT
        choice.astray = taken != best
        recollect_both(&state, recalls, codes[taken])
        apply(&state, codes[taken])
        n = legal(&state, codes)
    ends[0], ends[1] = ahead(&state, 0) / <float>UNIT, ahead(&state, 1) / <float>UNIT


cdef double taught(
    const Network* network, Network* slopes, const Choice* choices, int made, float end, double trace
) noexcept nogil:
    """The sum of one seat's squared errors; adds their slopes.

    A move is worth what is gained until the seat's next move, and what that is worth; or, by the share `trace`, what
    came of that (Sutton 1988: TD(lambda)), unless it was a move astray (Watkins 1989).
    """
    cdef double error = 0
    cdef float target, later = 0
    cdef int i
    for i in range(made - 1, -1, -1):
        target = later + end - choices[i].ahead
        error += pull(network, slopes, &choices[i], target)
        end = choices[i].ahead
        later = choices[i].best if choices[i].astray else trace * target + (1 - trace) * choices[i].judged
    return error


cdef Network* as_network(object weights) except NULL:
    cdef float[::1] view
    if not isinstance(weights, np.ndarray) or weights.dtype != np.float32 or weights.shape != (NETWORK,):
        raise ValueError(f"a network is a numpy array float32[{NETWORK}]")
    view = weights
    return <Network*>&view[0]


def self_play(weights, slopes, uint64_t seed, int deals, double astray, double trace):
    """Plays deals between two that go by a network, and adds the slopes of half the squared errors of its judgements.

    weights, slopes: float32[NETWORK]. astray: how often any move is made. trace: see `taught`. Returns how many moves
    were made, and the sum of their squared errors, in units.
    """
    cdef const Network* network = as_network(weights)
    cdef Network* sums = as_network(slopes)
    cdef Choice* choices = <Choice*>malloc(2 * MOST_OWN * sizeof(Choice))
    cdef int[2] made
    cdef float[2] ends
    cdef int64_t moves = 0
    cdef double error = 0
    cdef int i, seat
    if choices == NULL:
        raise MemoryError("no memory for the moves of a deal")
    with nogil:
        for i in range(deals):
            play_deal(network, &seed, astray, choices, made, ends)
            for seat in range(2):
                moves += made[seat]
                error += taught(network, sums, &choices[MOST_OWN * seat], made[seat], ends[seat], trace)
    free(choices)
    return moves, error


def judgements(weights, rows, past):
    """Codes uint64[n] of the legal moves and float32[n], how many points each will gain the seat to move, by a network.

    weights: float32[NETWORK]. rows: int64[1, WIDTH], a position for two players in any layout of the unseen cards,
    which makes no difference. past: int64[m, 4], what the seat has seen of the deal; `recollect` says how.
    """
    cdef const Network* network = as_network(weights)
    cdef const int64_t[:, ::1] view = checked(rows)
    cdef const int64_t[:, ::1] events = past
    cdef State state
    cdef Recall recall
    cdef uint64_t[MAX_MOVES] found
    cdef Sight all
    cdef Sight[MAX_MOVES] moves
    cdef float[MAX_MOVES] judged
    cdef int i, n
    if view.shape[0] != 1 or events.shape[1] != 4:
        raise ValueError("expected one row, and a past of four numbers each")
    unpack(&view[0, 0], &state)
    if state.players != 2:
        raise ValueError(f"the network is for two players, not {state.players}")
    memset(&recall, 0, sizeof(recall))
    for i in range(events.shape[0]):
        if not sensible(events[i, 0], events[i, 1], events[i, 2], events[i, 3]):
            raise ValueError(f"line {i} of the past, {list(events[i])}, is nothing that happens")
        recollect(&recall, events[i, 0], events[i, 1], events[i, 2], events[i, 3])
    n = legal(&state, found)
    codes = np.zeros(n, np.uint64)
    values = np.zeros(n, np.float32)
    if n:
        judge(network, &state, &recall, found, n, &all, moves, judged)
    for i in range(n):
        codes[i] = found[i]
        values[i] = UNIT * judged[i]
    return codes, values
