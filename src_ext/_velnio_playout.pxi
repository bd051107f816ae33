# Velnio tuzinas played on by the rules of thumb in solver/novice.py.

cdef int merit(State* state, uint64_t code) noexcept nogil:
    """How good a legal move looks: six times the merit there, so that the mean price of a lead is a whole number."""
    cdef uint64_t cards = code & ALL_CARDS
    cdef int n = popcount64(cards), cost = 0, card
    while cards:
        card = lowest64(cards)
        cards &= cards - 1
        cost += (card & 15) + (20 if card >> 4 == state.trump else 0)
    if not state.size:
        return 600 * n + 6 * cost // n
    return -6 * cost if code & TUCK else 600 - 6 * cost


cdef int played_out(State* state) noexcept nogil:
    """The value when all go on by rules of thumb: each plays what looks best, of equals the first listed."""
    cdef uint64_t codes[MAX_MOVES]
    cdef int i, best, n = legal(state, codes)
    while n:
        best = 0
        for i in range(1, n):
            if merit(state, codes[i]) > merit(state, codes[best]):
                best = i
        apply(state, codes[best])
        n = legal(state, codes)
    return value(state)


def playouts(rows):
    """Counts int32[n], codes uint64[n, MAX_MOVES], values int32[n, MAX_MOVES]: every legal move in listing order, with the
    value of the position after it played out."""
    cdef const int64_t[:, ::1] view = checked(rows)
    cdef Py_ssize_t i, n = view.shape[0]
    counts = np.zeros(n, np.int32)
    codes = np.zeros((n, MAX_MOVES), np.uint64)
    values = np.zeros((n, MAX_MOVES), np.int32)
    cdef int32_t[::1] counts_view = counts
    cdef uint64_t[:, ::1] codes_view = codes
    cdef int32_t[:, ::1] values_view = values
    cdef State state, after
    cdef int k
    with nogil:
        for i in range(n):
            unpack(&view[i, 0], &state)
            counts_view[i] = legal(&state, &codes_view[i, 0])
            for k in range(counts_view[i]):
                after = state
                apply(&after, codes_view[i, k])
                values_view[i, k] = played_out(&after)
    return counts, codes, values
