# What a seat sees of Velnio tuzinas for two, as inputs of a network, and what it recalls.

cdef enum:
    RANKS = 13

cdef enum:                  # inputs; cards by suit, trumps first, and strength
    SEEN_KEPT = 0           # each card that the move leaves in the hand
    SEEN_PLAYED = 52        # each card it plays: led, 52 covering, 104 tucked
    SEEN_OUT = 208          # each card of which one does not know where it is
    SEEN_TOP = 260          # each card to be beaten
    SEEN_POINTS = 312       # own points, and 13 the other's
    SEEN_ROUNDS = 338       # rounds that can still be drawn
    SEEN_LAST_CARD = 362    # strength of the stock's last card
    SEEN_LAST = 375         # what the other did last, by kind and number of cards, and 9 before that
    SEEN_SHOWN = 393        # each card with which he did so, plain, 13 trump
    SEEN_KIND = 419         # kind of the move and number of cards
    SEEN_PAIR = 428         # two cards kept: trumps, of a suit, of a rank, or neither; 4 to lead next; 8 none, one or two
    SEEN_SHARES = 440       # cards hidden, 1 unknown (see Recall), 2 out of sight, 3 trumps among those; of the cards
                            # played what share beats them, 4 to 9 by kind, 10 and 11 does none; 12 to 16 see `see_kept`
    INPUTS = 457

cpdef enum:                 # kinds of moves
    AS_LEAD = 0
    AS_COVER = 1
    AS_TUCK = 2

cdef struct Recall:         # of one seat
    uint64_t gone           # cards that it knows to have been played
    int hidden              # cards that the other tucked out of its sight
    int unknown             # cards that it tucked out of the other's sight
    int last                # what the other did last: 1 + 3 * kind + cards - 1; 0: nothing
    int before              # and before that
    uint64_t shown          # the cards with which he did it, if they were to be seen


include "_judge.pxi"


cdef float ahead(State* state, int seat) noexcept nogil:
    """By how many points a seat is ahead."""
    return min(GOAL, <int>state.points[seat]) - min(GOAL, <int>state.points[1 - seat])


cdef void shuffled(State* state, uint64_t* random) noexcept nogil:
    """A new deal; one in ten in mid-match."""
    cdef int8_t[52] cards
    cdef int i, j
    for i in range(52):
        j = below(random, i + 1)
        cards[i] = cards[j]
        cards[j] = 16 * (i // 13) + i % 13
    memset(state, 0, sizeof(State))
    state.players = 2
    for i in range(HAND):
        state.hands[0] |= bit(cards[i])
        state.hands[1] |= bit(cards[HAND + i])
    memcpy(state.stock, &cards[2 * HAND], 52 - 2 * HAND)
    state.trump = cards[51] >> 4
    state.rounds = (52 - 2 * HAND) // 2
    if share(random) < 0.1:
        state.points[0] = below(random, GOAL)
        state.points[1] = below(random, GOAL)


cdef bint sensible(int64_t own, int64_t kind, int64_t size, uint64_t cards) noexcept nogil:
    """Can a seat have seen this? See `recollect`."""
    if cards & ~<uint64_t>ALL_CARDS or not -1 <= kind <= AS_TUCK:
        return False
    return kind < 0 or 1 <= size <= HAND and (cards == 0 or popcount64(cards) == size)


cdef void recollect(Recall* recall, int64_t own, int64_t kind, int64_t size, uint64_t cards) noexcept nogil:
    """A move goes into what a seat recalls. own: is it its own? cards: 0 if the seat could not see them. A kind of -1
    are cards that were gone before."""
    recall.gone |= cards
    if kind < 0:
        return
    if own:
        recall.unknown += size if kind == AS_TUCK else 0
        return
    recall.hidden += size if cards == 0 else 0
    recall.before = recall.last
    recall.last = 3 * kind + size
    recall.shown = 0 if kind == AS_TUCK else cards


cdef void recollect_both(State* state, Recall* recalls, uint64_t code) noexcept nogil:
    """What both recall of a move that the seat to move will make."""
    cdef int seat = actor(state)
    cdef uint64_t cards = code & ALL_CARDS
    cdef int kind = kind_of(state, code)
    recollect(&recalls[seat], True, kind, popcount64(cards), cards)
    recollect(&recalls[1 - seat], False, kind, popcount64(cards), 0 if kind == AS_TUCK else cards)


cdef inline int kind_of(State* state, uint64_t code) noexcept nogil:
    if not state.size:
        return AS_LEAD
    return AS_TUCK if code & TUCK else AS_COVER


cdef inline uint64_t out_of_sight(State* state, Recall* recall) noexcept nogil:
    """The cards that are not gone, nor in the own hand: the other's, the stock, and what he tucked."""
    return ALL_CARDS & ~recall.gone & ~state.hands[actor(state)] & ~state.top


cdef void order(State* state, uint64_t out, int* places) noexcept nogil:
    """The places of the suits, by what one holds of them, by what is to be beaten, and by what is out."""
    cdef uint64_t[4] keys
    cdef int suit
    for suit in range(4):
        keys[suit] = (suit_at(state.hands[actor(state)], suit) << 26 | suit_at(state.top, suit) << 13
                      | suit_at(out, suit))
    rank_suits(keys, state.trump, places)


cdef void see_all(State* state, Recall* recall, Sight* sight) noexcept nogil:
    cdef int seat = actor(state), card
    cdef int[4] places
    cdef uint64_t out = out_of_sight(state, recall), shown = recall.shown
    cdef float size = max(1, popcount64(out))
    order(state, out, places)
    see_cards(sight, out, places, SEEN_OUT)
    see_cards(sight, state.top, places, SEEN_TOP)
    see(sight, SEEN_POINTS + min(12, <int>state.points[seat]), 1)
    see(sight, SEEN_POINTS + 13 + min(12, <int>state.points[1 - seat]), 1)
    see(sight, SEEN_ROUNDS + min(23, <int>state.rounds), 1)
    if state.rounds:
        see(sight, SEEN_LAST_CARD + (state.stock[state.drawn + 2 * state.rounds - 1] & 15), 1)
    if recall.last:
        see(sight, SEEN_LAST + recall.last - 1, 1)
    if recall.before:
        see(sight, SEEN_LAST + 9 + recall.before - 1, 1)
    while shown:
        card = lowest64(shown)
        shown &= shown - 1
        see(sight, SEEN_SHOWN + (card & 15) + (13 if card >> 4 == state.trump else 0), 1)
    see(sight, SEEN_SHARES, recall.hidden / <float>8)
    see(sight, SEEN_SHARES + 1, recall.unknown / <float>8)
    see(sight, SEEN_SHARES + 2, size / 46)
    see(sight, SEEN_SHARES + 3, 2 * popcount64(out & lane(state.trump)) / size)


cdef inline float beaten_share(State* state, int card, uint64_t out) noexcept nogil:
    """What share of the cards out of sight beats a card."""
    cdef uint64_t higher = lane(card >> 4) & ~(2 * bit(card) - 1)
    if card >> 4 != state.trump:
        higher |= lane(state.trump)
    return popcount64(higher & out) / <float>max(1, popcount64(out))


cdef void see_move(State* state, Recall* recall, uint64_t code, Sight* sight) noexcept nogil:
    cdef uint64_t out = out_of_sight(state, recall), cards = code & ALL_CARDS
    cdef uint64_t kept = state.hands[actor(state)] & ~cards, left
    cdef int kind = kind_of(state, code), n = popcount64(cards), card
    cdef int[4] places
    cdef float beaten, most = 0, total = 0, stands = 1
    order(state, out, places)
    see_cards(sight, cards, places, SEEN_PLAYED + 52 * kind)
    see_cards(sight, kept, places, SEEN_KEPT)
    see(sight, SEEN_KIND + 3 * kind + n - 1, 1)
    left = cards
    while left:
        card = lowest64(left)
        left &= left - 1
        beaten = beaten_share(state, card, out)
        most = max(most, beaten)
        total += beaten
        stands *= 1 - beaten
    see(sight, SEEN_SHARES + 4 + 2 * kind, most)
    see(sight, SEEN_SHARES + 5 + 2 * kind, total)
    if kind == AS_LEAD:
        see(sight, SEEN_SHARES + 10, stands)
        see(sight, SEEN_SHARES + 11, stands * stands * stands)
    see_kept(state, kept, out, kind != AS_TUCK, sight)


cdef void see_kept(State* state, uint64_t kept, uint64_t out, bint leads, Sight* sight) noexcept nogil:
    """What the cards kept are good for: whether they go together, what shares beat them and are beaten by them in all,
    and the least and the most that beat one. leads: will one lead next, or may one?"""
    cdef uint64_t left = kept
    cdef int n = popcount64(kept), card, pair = 3
    cdef float beaten, least = 1, most = 0, total = 0, beats = 0
    while left:
        card = lowest64(left)
        left &= left - 1
        beaten = beaten_share(state, card, out)
        least, most = min(least, beaten), max(most, beaten)
        total += beaten
        beats += popcount64(beaten_by(card, state.trump) & out) / <float>max(1, popcount64(out))
    if n == 2:
        card = lowest64(kept)
        if is_lead(kept):
            pair = 2 if kept & ~lane(card >> 4) else 0 if card >> 4 == state.trump else 1
        see(sight, SEEN_PAIR + (4 if leads else 0) + pair, 1)
    else:
        see(sight, SEEN_PAIR + 8 + min(n, 3), 1)
    see(sight, SEEN_SHARES + 12, total)
    see(sight, SEEN_SHARES + 13, beats)
    see(sight, SEEN_SHARES + 14, least if n else 0)
    see(sight, SEEN_SHARES + 15, most)
    see(sight, SEEN_SHARES + 16, 1 if leads else 0)
