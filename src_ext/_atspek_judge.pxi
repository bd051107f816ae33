# What a seat sees of Atspėk for two, as inputs of a network, and what it recalls.

cdef enum:                  # inputs; cards by suit, trumps first, and strength
    SEEN_HAND = 0           # each card that the move leaves in the hand
    SEEN_OWN = 32           # each card on top that it leaves: the last of its pile, or 32 lying on another
    SEEN_OTHER = 96         # the other's, likewise
    SEEN_OUT = 160          # each card of which one does not know where it is
    SEEN_PLAYED = 192       # the card played: led, 32 taking the trick, 64 losing it
    SEEN_TRICK = 288        # the card that lies
    SEEN_NUMBER = 320       # of tricks that have been played
    SEEN_CARDS = 336        # in the other's hand
    SEEN_SOURCE = 341       # of the card: hand, a pile's last card, one that lies on another; by what it does
    SEEN_LACKS = 350        # suits that the other has shown not to have in his hand, and 4 the seat itself
    SEEN_LENGTH = 358       # by suit, how many cards one could play next
    SEEN_SUITS = 398        # by suit: see below
    SEEN_SUMS = 410         # the same over all suits, and about a lead
    INPUTS = 415

cdef enum:
    DECK = 0x00ff00ff00ff00ff
    RANKS = 8

cdef enum:                  # what a card does
    AS_LEAD = 0
    AS_WINNER = 1
    AS_LOSER = 2

cdef struct Recall:         # of one seat
    uint64_t gone           # cards that have been played
    int lacks               # suits that the other has shown not to have in his hand, as bits
    int shown               # and that it has shown itself


include "_judge.pxi"


cdef float ahead(State* state, int seat) noexcept nogil:
    """Tricks over the even share, which are points; below 0 they are the other's."""
    return (state.won[seat] - state.won[1 - seat]) / <float>2


cdef void shuffled(State* state, uint64_t* random) noexcept nogil:
    """A new deal; the trump is the longer or higher suit of two cards of the first seat, or once in a while any."""
    cdef int8_t[32] cards
    cdef int i, j, seat, card = 0
    for i in range(32):
        j = below(random, i + 1)
        cards[i] = cards[j]
        cards[j] = 16 * (i // 8) + i % 8
    memset(state, 0, sizeof(State))
    memset(state.under, NO_CARD, sizeof(state.under))
    state.players = 2
    for seat in range(2):
        for i in range(4):
            state.avail[seat] |= bit(cards[card + i])
            state.closed |= bit(cards[card + i])
        for i in range(4, 10):
            state.avail[seat] |= bit(cards[card + i])
            state.under[cards[card + i]] = cards[card + i + 6]
        for i in range(16):
            state.held[seat] |= bit(cards[card + i])
        card += 16
    state.trump = (cards[0] if cards[0] & 15 >= cards[1] & 15 else cards[1]) >> 4
    if share(random) < 0.3:
        state.trump = below(random, 4)


cdef bint sensible(int64_t own, int64_t led, int64_t trump, uint64_t card) noexcept nogil:
    """Can a seat have seen this? See `recollect`."""
    return (-1 <= led <= 3 and 0 <= trump <= 3 and card != 0 and not card & ~<uint64_t>DECK
            and (led < 0 or popcount64(card) == 1))


cdef void recollect(Recall* recall, int64_t own, int64_t led, int64_t trump, uint64_t card) noexcept nogil:
    """A card goes into what a seat recalls. own: did it play it? led: the suit led, or -1 for a lead."""
    cdef int suit = lowest64(card) >> 4, lacks
    recall.gone |= card
    if led < 0 or suit == led:
        return
    lacks = 1 << led if suit == trump else 1 << led | 1 << trump
    if own:
        recall.shown |= lacks
    else:
        recall.lacks |= lacks


cdef void recollect_both(State* state, Recall* recalls, uint64_t code) noexcept nogil:
    """What both recall of a card that the seat to move will play."""
    cdef int seat = actor(state), led = state.trick[0] >> 4 if state.played else -1
    recollect(&recalls[seat], True, led, state.trump, code)
    recollect(&recalls[1 - seat], False, led, state.trump, code)


cdef inline uint64_t in_sight(State* state, int seat) noexcept nogil:
    """A seat's cards that lie open."""
    return state.avail[seat] & ~state.closed


cdef uint64_t lying_on_another(State* state, uint64_t cards) noexcept nogil:
    cdef uint64_t found = 0, left = cards
    while left:
        if state.under[lowest64(left)] != NO_CARD:
            found |= left & (0 - left)
        left &= left - 1
    return found


cdef inline uint64_t out_of_sight(State* state, Recall* recall) noexcept nogil:
    """The cards that are face down or in the other's hand."""
    cdef int seat = actor(state)
    return <uint64_t>DECK & ~(recall.gone | state.avail[seat] | in_sight(state, 1 - seat))


cdef void order(State* state, uint64_t out, int* places) noexcept nogil:
    """The places of the suits, by what one can play of them, by what of the other's is in sight, by what is out, by
    the own hand, and by the card that lies."""
    cdef uint64_t[4] keys
    cdef uint64_t own = state.avail[actor(state)], other = in_sight(state, 1 - actor(state))
    cdef int suit
    for suit in range(4):
        keys[suit] = (suit_at(own, suit) << 32 | suit_at(other, suit) << 24 | suit_at(out, suit) << 16
                      | suit_at(own & state.closed, suit) << 8)
        if state.played and state.trick[0] >> 4 == suit:
            keys[suit] |= (state.trick[0] & 15) + 1
    rank_suits(keys, state.trump, places)


cdef void see_all(State* state, Recall* recall, Sight* sight) noexcept nogil:
    cdef int seat = actor(state), suit
    cdef int[4] places
    cdef uint64_t out = out_of_sight(state, recall), other = in_sight(state, 1 - seat)
    cdef uint64_t linked = lying_on_another(state, other)
    order(state, out, places)
    see_cards(sight, other & ~linked, places, SEEN_OTHER)
    see_cards(sight, linked, places, SEEN_OTHER + 32)
    see_cards(sight, out, places, SEEN_OUT)
    if state.played:
        see(sight, SEEN_TRICK + RANKS * places[state.trick[0] >> 4] + (state.trick[0] & 15), 1)
    see(sight, SEEN_NUMBER + 16 - popcount64(state.held[seat]), 1)
    see(sight, SEEN_CARDS + popcount64(state.avail[1 - seat] & state.closed), 1)
    for suit in range(4):
        if recall.lacks >> suit & 1:
            see(sight, SEEN_LACKS + places[suit], 1)
        if recall.shown >> suit & 1:
            see(sight, SEEN_LACKS + 4 + places[suit], 1)


cdef void see_move(State* state, Recall* recall, uint64_t code, Sight* sight) noexcept nogil:
    cdef int seat = actor(state), card = lowest64(code), does = AS_LEAD, source
    cdef int[4] places
    cdef uint64_t out = out_of_sight(state, recall), left = state.avail[seat] & ~code
    cdef uint64_t piled = left & ~state.closed, linked = lying_on_another(state, piled)
    order(state, out, places)
    see_cards(sight, left & state.closed, places, SEEN_HAND)
    see_cards(sight, piled & ~linked, places, SEEN_OWN)
    see_cards(sight, linked, places, SEEN_OWN + 32)
    if state.played:
        does = AS_WINNER if beats(card, state.trick[0], state.trump) else AS_LOSER
    see(sight, SEEN_PLAYED + 32 * does + RANKS * places[card >> 4] + (card & 15), 1)
    source = 0 if code & state.closed else 1 if state.under[card] == NO_CARD else 2
    see(sight, SEEN_SOURCE + 3 * does + source, 1)
    see_suits(state, out, left, places, sight)
    if does == AS_LEAD:
        see_lead(state, out, card, sight)


cdef void see_suits(State* state, uint64_t out, uint64_t left, const int* places, Sight* sight) noexcept nogil:
    """By suit: what one could play next, how many of it no card out or in the other's sight beats, how many of the
    other's open cards beat all else, and how many cards are not one's own."""
    cdef uint64_t other = in_sight(state, 1 - actor(state))
    cdef int suit, own, his, all_own = 0, all_his = 0
    for suit in range(4):
        own = on_top(suit_at(left, suit), suit_at(out | other, suit))
        his = on_top(suit_at(other, suit), suit_at(out | left, suit))
        see(sight, SEEN_LENGTH + 10 * places[suit] + min(9, popcount64(suit_at(left, suit))), 1)
        see(sight, SEEN_SUITS + places[suit], own / <float>3)
        see(sight, SEEN_SUITS + 4 + places[suit], his / <float>3)
        see(sight, SEEN_SUITS + 8 + places[suit], popcount64(suit_at(out | other, suit)) / <float>4)
        all_own += own
        all_his += his
    see(sight, SEEN_SUMS, all_own / <float>4)
    see(sight, SEEN_SUMS + 1, all_his / <float>4)


cdef inline int on_top(uint64_t cards, uint64_t others) noexcept nogil:
    """How many of the highest cards of a suit are among those."""
    return popcount64(cards & ~((<uint64_t>2 << highest64(others)) - 1)) if others else popcount64(cards)


cdef void see_lead(State* state, uint64_t out, int card, Sight* sight) noexcept nogil:
    """What may beat a card that is led: an open card of the other, one that is out; and must an open card follow it?"""
    cdef uint64_t other = in_sight(state, 1 - actor(state)), higher = lane_of(card) & above(card)
    see(sight, SEEN_SUMS + 2, 1 if higher & other else 0)
    see(sight, SEEN_SUMS + 3, popcount64(higher & out) / <float>4)
    see(sight, SEEN_SUMS + 4, 1 if other & lane_of(card) else 0)
