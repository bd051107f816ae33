# Three players, all against the pov.

cdef bint party_reaches(Search* search, State* state, int bound) noexcept nogil:
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
        child = state[0]
        apply(&child, codes[i])
        if party_reaches(search, &child, bound) == maximises:
            return maximises
    return not maximises
