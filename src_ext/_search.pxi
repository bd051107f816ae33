# What every kernel shares: the table's memory, limits, exact values out of null-window tests, all moves, lines, checks.
#
# A kernel is compiled as   constants, State, Memory, include "_search.pxi", hooks   in that order:
#
#   WIDTH, MAX_MOVES, MAX_LINE    (cpdef enum) words in a row; moves in a position and moves to the end, at most
#   MAX_STEP                      (cdef enum) how far a first guess that proves wrong is corrected at once, at most
#   ctypedef struct State         a position, copied by value, without pointers; its `players` are how many seats play
#   ctypedef struct Memory        what its search keeps beside the table (history, killers); zeroed when a Solver is made
#
#   const char* check(const int64_t* row)                  NULL, or the sentence that says what is wrong with the row
#   void unpack(const int64_t* row, State* state)
#   int legal(State* state, uint64_t* codes)               all legal moves in listing order; 0 = the deal is over
#   int twin(State* state, const uint64_t* codes, int i)   an earlier move with surely the same value as codes[i], or -1
#   void apply(State* state, uint64_t code)                plays a move, finished tricks are resolved
#   int actor(State* state)                                the seat to move, while the deal goes on
#   int tally(State* state, int seat)                      what the game's file makes a finished deal's score of
#   bint maximising(State* state)                          is the seat to move on the side of the pov
#   int value(State* state)                                of a finished position
#   void span(State* state, int* low, int* high)           what the value can still be, both ends included
#   int guess(Search* search, State* state)                what it probably is
#   void fresh(Search* search, State* root)                a new root (or a child of one): set up what is kept for each
#   bint at_least(Search* search, State* state, int bound) null-window test, value >= bound? The kernel's own recursion.
#                                                          It may move on `state` but must bring it back; it may set
#                                                          search.proved to a sharper result: a lower bound of the value
#                                                          when it is true, an upper bound when it is false
#
# All of them `noexcept nogil`. The recursion calls tick(search) for each node; once that is true it returns anything at
# once and stores nothing, and so does everybody above it. The table is search.table_bytes (a power of two, at least
# 2^16) of memory at search.table, at a multiple of 64, zeroed when the Solver is made and never cleared after: entries
# outlive their root, so a key must hold all that a value depends on, or the kernel clears the table itself in fresh().

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

import math

import numpy as np

cdef extern from "_bits.h" nogil:
    void bits_init()
    int popcount64(uint64_t x)
    int lowest64(uint64_t x)
    int highest64(uint64_t x)
    uint64_t pext64(uint64_t x, uint64_t mask)
    uint64_t pdep64(uint64_t x, uint64_t mask)
    uint64_t mix64(uint64_t x)
    void prefetch(const void* where)
    int64_t clock_ns()
    int32_t read_flag(const int32_t* flag)
    void* alloc_aligned(size_t bytes)
    void want_large_pages(void* start, size_t bytes)
    void free_aligned(void* start)
    void INVARIANT(bint condition)
    bint likely "SOLVER_LIKELY"(bint condition)
    bint unlikely "SOLVER_UNLIKELY"(bint condition)

bits_init()

cdef enum:
    NOTHING_PROVED = -(1 << 30)
    LOOK_EVERY = 1024           # nodes between two looks at the clock and the stop flag
    MIN_TABLE_BYTES = 1 << 16


cdef struct Search:
    char* table                 # the transposition table, at a multiple of 64
    size_t table_bytes          # a power of two
    int64_t nodes               # visited since the call began
    int64_t node_limit          # of the whole call
    int64_t next_look           # nodes at which limits are looked at again
    int64_t deadline            # on clock_ns
    const int32_t* stop         # NULL, or set to something else than 0 from outside: stop
    bint aborted                # a limit was met: results are meaningless, nothing may be stored
    int proved                  # what the last at_least() proved (see above), or NOTHING_PROVED
    Memory memory               # the kernel's own


# ---- limits ----

cdef inline void look(Search* search) noexcept nogil:
    if (search.nodes >= search.node_limit or (search.stop != NULL and read_flag(search.stop) != 0)
            or clock_ns() >= search.deadline):
        search.aborted = True
    search.next_look = min(search.nodes + LOOK_EVERY, search.node_limit)


cdef inline bint tick(Search* search) noexcept nogil:
    """Counts a node; true when the search must be given up."""
    search.nodes += 1
    if unlikely(search.nodes >= search.next_look):
        look(search)
    return search.aborted


cdef void begin(Search* search, const int32_t* stop, double seconds, int64_t nodes) noexcept nogil:
    """Sets the limits of a call."""
    search.stop = stop
    search.nodes = 0
    search.aborted = False
    search.node_limit = nodes if nodes > 0 else (<int64_t>1 << 62)
    search.deadline = <int64_t>1 << 62
    if seconds < 4e9:
        search.deadline = clock_ns() + <int64_t>(seconds * 1e9)
    look(search)


# ---- exact values ----

cdef int settle(Search* search, State* state, int low, int high, int first) noexcept nogil:
    """The exact value, known to lie in low..high, by null-window tests from a first guess outwards; while they go the
    same way the steps double, as far as MAX_STEP and half of what is left allow."""
    cdef int bound, reached, step = 1, before = -1, estimate = first
    while low < high and not search.aborted:
        bound = min(max(estimate, low + 1), high)
        search.proved = NOTHING_PROVED
        reached = at_least(search, state, bound)
        if reached:
            low = min(max(bound, search.proved), high)
        else:
            high = bound - 1
            if search.proved != NOTHING_PROVED:
                high = max(min(high, search.proved), low)
        step = min(2 * step, MAX_STEP) if reached == before else 1
        step = max(min(step, (high - low) // 2), 1)
        estimate = low + step if reached else high + 1 - step
        before = reached
    return low


cdef int exact(Search* search, State* state, bint has_guess, int first) noexcept nogil:
    cdef uint64_t codes[MAX_MOVES]
    cdef int low = 0, high = 0
    if legal(state, codes) == 0:
        return value(state)
    fresh(search, state)
    span(state, &low, &high)
    return settle(search, state, low, high, first if has_guess else guess(search, state))


cdef bint reaches(Search* search, State* state, int bound) noexcept nogil:
    """value >= bound, for a position that may be finished."""
    cdef uint64_t codes[MAX_MOVES]
    cdef int low = 0, high = 0
    if legal(state, codes) == 0:
        return value(state) >= bound
    span(state, &low, &high)
    if bound <= low:
        return True
    if bound > high:
        return False
    fresh(search, state)
    return at_least(search, state, bound)


cdef inline bint keeps(Search* search, State* child, bint maximises, int target) noexcept nogil:
    """Whether a move to `child` keeps `target`, the exact value of its parent."""
    if maximises:
        return reaches(search, child, target)
    return not reaches(search, child, target + 1)


cdef int every_move(Search* search, State* state, uint64_t* codes, int32_t* values) noexcept nogil:
    """All legal moves in listing order with their values. The position's own comes first: it bounds them all, so that
    one test is enough for an optimal move, and to be as good is a fair guess for the others."""
    cdef uint64_t replies[MAX_MOVES]
    cdef State child
    cdef int i, same, low = 0, high = 0, best, n = legal(state, codes)
    cdef bint maximises
    if n == 0:
        return 0
    maximises = maximising(state)
    best = exact(search, state, False, 0)
    for i in range(n):
        if search.aborted:
            break
        same = twin(state, codes, i)
        if same >= 0:
            values[i] = values[same]
            continue
        child = state[0]
        apply(&child, codes[i])
        if legal(&child, replies) == 0:
            values[i] = value(&child)
            continue
        fresh(search, &child)
        span(&child, &low, &high)
        if maximises:
            high = min(high, best)
        else:
            low = max(low, best)
        values[i] = settle(search, &child, low, high, best)
    return n


cdef int best_moves(Search* search, State* state, uint64_t* codes, int32_t* values) noexcept nogil:
    """The optimal moves in listing order: the position's value, then one test a move."""
    cdef uint64_t listed[MAX_MOVES]
    cdef bint optimal[MAX_MOVES]
    cdef State child
    cdef int i, same, kept = 0, n = legal(state, listed)
    cdef bint maximises
    cdef int best
    if n == 0:
        return 0
    maximises = maximising(state)
    best = exact(search, state, False, 0)
    for i in range(n):
        if search.aborted:
            break
        same = twin(state, listed, i)
        if same >= 0:
            optimal[i] = optimal[same]
        else:
            child = state[0]
            apply(&child, listed[i])
            optimal[i] = keeps(search, &child, maximises, best)
        if optimal[i]:
            codes[kept] = listed[i]
            values[kept] = best
            kept += 1
    return kept


cdef int line(Search* search, State* root, uint64_t* codes) noexcept nogil:
    """One optimal continuation: at each turn the first listed move that keeps the value. -1 when a limit was met."""
    cdef uint64_t listed[MAX_MOVES]
    cdef State state = root[0]
    cdef State child
    cdef int target = exact(search, &state, False, 0)
    cdef int i, chosen, n, length = 0
    cdef bint maximises
    n = legal(&state, listed)
    while n > 0 and not search.aborted:
        maximises = maximising(&state)
        chosen = n - 1
        for i in range(n - 1):       # the last one needs no test: some move keeps the value
            if twin(&state, listed, i) >= 0:
                continue
            child = state
            apply(&child, listed[i])
            if keeps(search, &child, maximises, target):
                chosen = i
                break
            if search.aborted:
                break
        while twin(&state, listed, chosen) >= 0:
            chosen = twin(&state, listed, chosen)
        INVARIANT(length < MAX_LINE)
        codes[length] = listed[chosen]
        length += 1
        apply(&state, listed[chosen])
        n = legal(&state, listed)
    return -1 if search.aborted else length


cdef int64_t sequences(State* state, int depth) noexcept nogil:
    cdef uint64_t codes[MAX_MOVES]
    cdef State child
    cdef int i, n
    cdef int64_t total = 0
    if depth == 0:
        return 1
    n = legal(state, codes)
    if depth == 1:
        return n
    for i in range(n):
        child = state[0]
        apply(&child, codes[i])
        total += sequences(&child, depth - 1)
    return total


# ---- the classes ----

cdef class Mover:
    """A deal played move by move, without a search: rows and codes are those of the Solver, row a sequence of WIDTH
    integers. Raises ValueError for a row that is not sane."""

    cdef State state

    def __init__(self, row):
        cdef int64_t words[WIDTH]
        cdef const char* wrong
        cdef int i
        if len(row) != WIDTH:
            raise ValueError(f"a row has {WIDTH} integers, not {len(row)}")
        for i in range(WIDTH):
            words[i] = row[i]
        wrong = check(words)
        if wrong != NULL:
            raise ValueError(wrong.decode())
        unpack(words, &self.state)

    def actor(self):
        """The seat to move; -1 when the deal is over."""
        cdef uint64_t codes[MAX_MOVES]
        return actor(&self.state) if legal(&self.state, codes) else -1

    def moves(self):
        """The codes of the legal moves in listing order; none when the deal is over."""
        cdef uint64_t codes[MAX_MOVES]
        cdef int i, n = legal(&self.state, codes)
        return [codes[i] for i in range(n)]

    def play(self, uint64_t code):
        """Plays a move; then as actor(). Raises ValueError for a code that is no legal move."""
        cdef uint64_t codes[MAX_MOVES]
        cdef int i, n = legal(&self.state, codes)
        for i in range(n):
            if codes[i] == code:
                apply(&self.state, code)
                return actor(&self.state) if legal(&self.state, codes) else -1
        raise ValueError(f"{code:#x} is no legal move")

    def tally(self):
        """By seat, what the score of a deal that is over is made of: see the head of each kernel."""
        cdef int seat
        return [tally(&self.state, seat) for seat in range(self.state.players)]

    def copy(self):
        """Another one that goes its own way from here."""
        cdef Mover twin = Mover.__new__(Mover)
        twin.state = self.state
        return twin


cdef class Solver:
    """Exact values of packed positions, one thread's worth: it owns its transposition table.

    Calls release the GIL. A second call while one is running (from another thread) is a RuntimeError; make one Solver
    a thread. Rows are int64[n, WIDTH], C-contiguous; what they mean is described at the head of the kernel.
    """

    cdef Search search
    cdef bint busy

    def __cinit__(self, double table_mb=64):
        if not table_mb > 0 or table_mb > 1 << 20:
            raise ValueError(f"table_mb must be more than 0 and at most {1 << 20}, not {table_mb}")
        cdef size_t size = MIN_TABLE_BYTES
        while size * 2 <= table_mb * (1 << 20):
            size *= 2
        self.search.table = <char*>alloc_aligned(size)
        if self.search.table == NULL:
            raise MemoryError(f"no memory for a table of {table_mb} MB")
        self.search.table_bytes = size

    def __dealloc__(self):
        free_aligned(self.search.table)

    def values(self, rows, *, stop=None, double seconds=math.inf, int64_t nodes=0):
        """Values int32[n], done uint8[n] (0: a limit was met, the value means nothing), nodes int64[n]."""
        cdef const int64_t[:, ::1] view = checked(rows)
        cdef Py_ssize_t i, n = view.shape[0]
        values = np.zeros(n, np.int32)
        done = np.zeros(n, np.uint8)
        visited = np.zeros(n, np.int64)
        cdef int32_t[::1] values_view = values
        cdef uint8_t[::1] done_view = done
        cdef int64_t[::1] visited_view = visited
        cdef State state
        cdef int64_t before
        self.enter(stop, seconds, nodes)
        try:
            with nogil:
                for i in range(n):
                    look(&self.search)
                    if self.search.aborted:
                        break
                    before = self.search.nodes
                    unpack(&view[i, 0], &state)
                    values_view[i] = exact(&self.search, &state, False, 0)
                    visited_view[i] = self.search.nodes - before
                    done_view[i] = not self.search.aborted
        finally:
            self.busy = False
        return values, done, visited

    def move_values(self, rows, *, bint best_only=False, stop=None, double seconds=math.inf, int64_t nodes=0):
        """Counts int32[n], codes uint64[n, MAX_MOVES], values int32[n, MAX_MOVES], done uint8[n], nodes int64[n]:
        every legal move with its value, in listing order, or only the optimal ones."""
        cdef const int64_t[:, ::1] view = checked(rows)
        cdef Py_ssize_t i, n = view.shape[0]
        counts = np.zeros(n, np.int32)
        codes = np.zeros((n, MAX_MOVES), np.uint64)
        values = np.zeros((n, MAX_MOVES), np.int32)
        done = np.zeros(n, np.uint8)
        visited = np.zeros(n, np.int64)
        cdef int32_t[::1] counts_view = counts
        cdef uint64_t[:, ::1] codes_view = codes
        cdef int32_t[:, ::1] values_view = values
        cdef uint8_t[::1] done_view = done
        cdef int64_t[::1] visited_view = visited
        cdef State state
        cdef int64_t before
        self.enter(stop, seconds, nodes)
        try:
            with nogil:
                for i in range(n):
                    look(&self.search)
                    if self.search.aborted:
                        break
                    before = self.search.nodes
                    unpack(&view[i, 0], &state)
                    if best_only:
                        counts_view[i] = best_moves(&self.search, &state, &codes_view[i, 0], &values_view[i, 0])
                    else:
                        counts_view[i] = every_move(&self.search, &state, &codes_view[i, 0], &values_view[i, 0])
                    visited_view[i] = self.search.nodes - before
                    done_view[i] = not self.search.aborted
        finally:
            self.busy = False
        return counts, codes, values, done, visited

    def lines(self, rows, *, stop=None, double seconds=math.inf, int64_t nodes=0):
        """Counts int32[n] (-1: a limit was met), codes uint64[n, MAX_LINE]: an optimal continuation to the end."""
        cdef const int64_t[:, ::1] view = checked(rows)
        cdef Py_ssize_t i, n = view.shape[0]
        counts = np.full(n, -1, np.int32)
        codes = np.zeros((n, MAX_LINE), np.uint64)
        cdef int32_t[::1] counts_view = counts
        cdef uint64_t[:, ::1] codes_view = codes
        cdef State state
        self.enter(stop, seconds, nodes)
        try:
            with nogil:
                for i in range(n):
                    look(&self.search)
                    if self.search.aborted:
                        break
                    unpack(&view[i, 0], &state)
                    counts_view[i] = line(&self.search, &state, &codes_view[i, 0])
        finally:
            self.busy = False
        return counts, codes

    def perft(self, row, int depth):
        """How many sequences of `depth` moves there are from a position (row: int64[WIDTH])."""
        if depth < 0:
            raise ValueError(f"depth must be at least 0, not {depth}")
        cdef const int64_t[:, ::1] view = checked(np.ascontiguousarray(row).reshape(1, -1))
        cdef State state
        cdef int64_t total
        with nogil:
            unpack(&view[0, 0], &state)
            total = sequences(&state, depth)
        return total

    cdef enter(self, stop, double seconds, int64_t nodes):
        """Takes the solver for one call and sets its limits."""
        cdef const int32_t* flag = NULL
        cdef const int32_t[::1] flag_view
        if math.isnan(seconds):
            raise ValueError("seconds must be a number, not nan")
        if nodes < 0:
            raise ValueError(f"nodes must be at least 0 (0: no limit), not {nodes}")
        if stop is not None:
            if not isinstance(stop, np.ndarray) or stop.dtype != np.int32 or stop.shape != (1,):
                raise ValueError("stop must be a numpy array int32[1]")
            flag_view = stop          # the caller's argument keeps it alive for the whole call
            flag = &flag_view[0]
        if self.busy:
            raise RuntimeError("this Solver is at work in another thread; make one Solver a thread")
        self.busy = True
        begin(&self.search, flag, max(seconds, 0.0), nodes)


cdef object checked(object rows):
    """The rows themselves, once they are known to be sane: a search may trust them."""
    if not isinstance(rows, np.ndarray) or rows.dtype != np.int64 or rows.ndim != 2 or rows.shape[1] != WIDTH:
        raise ValueError(f"rows must be a numpy array int64[n, {WIDTH}]")
    if not rows.flags.c_contiguous:
        raise ValueError("rows must be C-contiguous")
    cdef const int64_t[:, ::1] view = rows
    cdef const char* wrong
    cdef Py_ssize_t i
    for i in range(view.shape[0]):
        wrong = check(&view[i, 0])
        if wrong != NULL:
            raise ValueError(f"row {i}: {wrong.decode()}")
    return rows
