"""The kernel of Sixty-six and Schnapsen, two or three players, the order of the stock known.

Row (int64[40]): 0..2 hands; 3 number of stock cards; 4..15 the stock, next to be drawn first, indicator last; 16..18 points;
19..21 pending marriage points; 22..24 tricks won; 25, 26 cards of the current trick in order played, -1 none; 27 its
leader; 28 players; 29 trump suit; 30 who closed the stock, or -1; 31 flags: 1 marriage with either card, 2 the
obligations and the closer's score of Schnapsen, 4 exchange needs no trick, 8 a deck without nines (so that the trump
jack is exchanged); 32 closing: 0 all tricks, 1 reach 66, 2 none; 33 penalty of a failed closing: 0 standard, else 1 to 3;
34 seat of the pov; 35 points and 36 tricks at the closing, 16 bits a seat, meaningful once the stock is closed; 37 whether
a marriage was led in the current trick (known to the row alone: its points are counted already); 38, 39 spare.
The value is the eyes the pov covers, or minus the eyes the others do; the tally is the same by seat.

Two players: _sixty_six_race.pxi. Three, all against the pov: _sixty_six_party.pxi; each for himself: _sixty_six_max_n.pxi.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cpdef enum:
    WIDTH = 40
    MAX_MOVES = 16      # 6 cards, 6 more with marriages announced, exchange, close
    MAX_LINE = 26       # 24 cards, exchange, close

cdef enum:
    NO_CARD = -1
    MAX_STEP = 1
    NOBODY = -1
    GAME = 66           # points that end the deal
    HALF = 33           # losers below this cost themselves a second eye

    # row flags
    EITHER = 1          # a marriage may be led with the king too
    SCHNAPSEN = 2       # one must beat; a closer who wins is scored as things stood at the closing
    FREE_EXCHANGE = 4   # exchange needs no trick
    NO_NINES = 8        # 20 cards: the lowest of a suit, the card exchanged, is the jack

    # closing modes
    ALL_TRICKS = 0
    REACH_66 = 1
    NO_CLOSING = 2

    # kinds of moves
    MARRIAGE = 2
    EXCHANGE = 3
    CLOSE = 4

    KING_QUEEN = 0x0c   # of one suit's six bits
    ALL_CARDS = 0x3f3f3f3f


# Inside the kernel a card is suit * 8 + strength, 9 J Q K 10 A = 0..5 with or without nines, and a holding 32 bits.
ctypedef struct State:
    uint32_t hands[3]
    int8_t stock[12]        # next to be drawn first, indicator last
    int8_t next             # index of the next one to be drawn
    int8_t stock_size       # index behind the last one
    int8_t trick[2]         # cards of the current trick in the order played
    int8_t played           # how many there are
    int8_t leader           # seat that led, or is to lead
    int8_t players
    int8_t trump            # suit
    int8_t flags            # of the row
    int8_t closing          # ALL_TRICKS, REACH_66 or NO_CLOSING
    int8_t penalty          # eyes of a failed closing, 0 standard
    int8_t pov              # seat whose eyes are counted
    int8_t closed_by        # seat, or NOBODY
    int8_t won[3]           # tricks
    int8_t closing_won[3]   # tricks when the stock was closed
    int16_t points[3]       # counted points
    int16_t pending[3]      # marriage points of seats without a trick
    int16_t closing_points[3]


# What a Solver keeps beside its table: the stock and the rules its entries were searched with; history.
ctypedef struct Memory:
    int8_t stock[13]        # by the number of cards left when it is drawn, 1 the indicator as the first root had it;
                            #   with two players trumps are in lane 0
    uint32_t rest[13]       # the cards of a stock of so many, as they were for the first root
    int8_t stock_size       # how many of them are known
    int8_t low              # the card an indicator is exchanged for
    int8_t closing          # ALL_TRICKS, REACH_66 or NO_CLOSING
    int8_t penalty          # eyes of a failed closing, 0 standard
    int8_t flags            # of the row
    int8_t players
    int8_t trump            # suit; 0 with two players
    uint32_t stamp          # names all this in the entries
    int16_t wins[13][32]    # of leads, by cards left and card: how often they won of late (two players)


include "_search.pxi"


# ---- cards ----

cdef int8_t[6] POINTS = [0, 2, 3, 4, 10, 11]      # by strength
cdef int8_t[64] SUIT_POINTS                       # of a suit's six bits


cdef void count_points() noexcept nogil:
    cdef int cards, i
    for cards in range(64):
        SUIT_POINTS[cards] = 0
        for i in range(6):
            if cards >> i & 1:
                SUIT_POINTS[cards] += POINTS[i]


count_points()


cdef inline uint32_t bit(int card) noexcept nogil:
    return <uint32_t>1 << card


cdef inline uint32_t suit_of(uint32_t cards, int suit) noexcept nogil:
    """A suit's cards as six bits."""
    return cards >> (8 * suit) & 0x3f


cdef inline uint32_t lane(int card) noexcept nogil:
    """All the cards of a card's suit."""
    return <uint32_t>0x3f << (card & 24)


cdef inline int points_of(uint32_t cards) noexcept nogil:
    return (SUIT_POINTS[suit_of(cards, 0)] + SUIT_POINTS[suit_of(cards, 1)]
            + SUIT_POINTS[suit_of(cards, 2)] + SUIT_POINTS[suit_of(cards, 3)])


cdef inline uint32_t narrow(uint64_t holding, int flags) noexcept nogil:
    """The kernel's holding for a row's or a code's."""
    cdef uint64_t all = ((holding & 0x3f) | (holding >> 8 & 0x3f00) | (holding >> 16 & 0x3f0000)
                         | (holding >> 24 & 0x3f000000))
    return <uint32_t>(all << 1 if flags & NO_NINES else all)


cdef inline int narrow_card(int card, int flags) noexcept nogil:
    return (card >> 4) * 8 + (card & 15) + (1 if flags & NO_NINES else 0)


cdef inline uint64_t code_of(int card, int kind, int flags) noexcept nogil:
    cdef int strength = (card & 7) - (1 if flags & NO_NINES else 0)
    return (<uint64_t>1 << ((card >> 3) * 16 + strength)) | (<uint64_t>kind << 13)


# ---- rules ----

cdef inline int actor(State* state) noexcept nogil:
    return (state.leader + state.played) % state.players


cdef inline bint beats(int card, int best, int trump) noexcept nogil:
    """Whether a card takes over a trick that `best` holds."""
    if card >> 3 == best >> 3:
        return card > best
    return card >> 3 == trump


cdef inline uint32_t owed(uint32_t hand, int led, int best, int trump, int flags) noexcept nogil:
    """What may be played to a trick once the stock is closed or exhausted; `best` holds it so far."""
    cdef uint32_t due = hand & lane(led), winning
    if not due:
        due = hand & lane(trump * 8)
        if not due:
            return hand
    if flags & SCHNAPSEN:
        winning = 0
        if due & lane(best):
            winning = due & ~((bit(best) << 1) - 1)
        elif due & lane(trump * 8):
            winning = due
        return winning or due
    return due


cdef inline bint is_open(State* state) noexcept nogil:
    """Whether cards are still drawn."""
    return state.next < state.stock_size and state.closed_by == NOBODY


cdef inline int lowest_trump(State* state) noexcept nogil:
    return state.trump * 8 + (1 if state.flags & NO_NINES else 0)


cdef inline bint closer_lost_trick(State* state) noexcept nogil:
    """He led when he closed, and leads for as long as he takes every trick."""
    return state.closed_by != NOBODY and state.closing == ALL_TRICKS and state.leader != state.closed_by


cdef int winner(State* state) noexcept nogil:
    """Of a finished deal, seat; NOBODY while it goes on, or when a closing has failed."""
    cdef int seat
    if closer_lost_trick(state):
        return NOBODY
    for seat in range(state.players):
        if state.points[seat] >= GAME:
            return seat if state.closed_by == NOBODY or state.closed_by == seat else NOBODY
    if state.played == 0 and state.hands[0] == 0:
        return NOBODY if state.closed_by != NOBODY and state.closing == REACH_66 else state.leader
    return NOBODY


cdef bint over(State* state) noexcept nogil:
    cdef int seat
    for seat in range(state.players):
        if state.points[seat] >= GAME:
            return True
    return closer_lost_trick(state) or (state.played == 0 and state.hands[0] == 0)


cdef int closing_penalty(State* state) noexcept nogil:
    """Eyes each opponent covers if the closing fails (or a closing now would, while the stock is open)."""
    cdef int seat, closer = state.closed_by if state.closed_by != NOBODY else state.leader
    if state.penalty:
        return state.penalty
    for seat in range(state.players):
        if seat != closer and (state.won[seat] if state.closed_by == NOBODY else state.closing_won[seat]) > 0:
            return 2
    return 3


cdef int winning_eyes(State* state, int seat) noexcept nogil:
    """What a seat covers if it wins with things as they stand."""
    cdef bint at_closing = state.flags & SCHNAPSEN and state.closed_by != NOBODY
    cdef int other, points = 0, tricks = 0
    for other in range(state.players):
        if other != seat:
            points += state.closing_points[other] if at_closing else state.points[other]
            tricks += state.closing_won[other] if at_closing else state.won[other]
    return 3 if tricks == 0 else 2 if points < HALF else 1


cdef int eyes(State* state, int pov) noexcept nogil:
    """Of a finished deal, for a seat."""
    cdef int seat = winner(state)
    if seat == NOBODY:
        return -closing_penalty(state) if pov == state.closed_by else closing_penalty(state)
    return winning_eyes(state, seat) if pov == seat else -winning_eyes(state, seat)


cdef void take_trick(State* state, int last) noexcept nogil:
    """Ends the trick that `last` completes: points, tricks, draws."""
    cdef int i, seat, best = state.trick[0], taker = 0, card, total = POINTS[last & 7]
    for i in range(1, state.players):
        card = state.trick[i] if i < state.played else last
        if beats(card, best, state.trump):
            best = card
            taker = i
    for i in range(state.played):
        total += POINTS[state.trick[i] & 7]
    taker = (state.leader + taker) % state.players
    state.points[taker] += total + state.pending[taker]
    state.pending[taker] = 0
    state.won[taker] += 1
    state.leader = taker
    state.played = 0
    if is_open(state):
        for i in range(state.players):
            seat = (taker + i) % state.players
            state.hands[seat] |= bit(state.stock[state.next])
            state.next += 1


cdef void announce(State* state, int seat, int suit) noexcept nogil:
    cdef int bonus = 40 if suit == state.trump else 20
    if state.won[seat]:
        state.points[seat] += bonus
    else:
        state.pending[seat] += bonus


cdef void put_card(State* state, int card) noexcept nogil:
    state.hands[actor(state)] &= ~bit(card)
    if state.played == state.players - 1:
        take_trick(state, card)
    else:
        state.trick[state.played] = card
        state.played += 1


cdef void exchange(State* state) noexcept nogil:
    cdef int low = lowest_trump(state)
    state.hands[state.leader] ^= bit(low) | bit(state.stock[state.stock_size - 1])
    state.stock[state.stock_size - 1] = low


cdef void close(State* state) noexcept nogil:
    cdef int seat
    state.closed_by = state.leader
    for seat in range(3):
        state.closing_points[seat] = state.points[seat]
        state.closing_won[seat] = state.won[seat]


cdef void apply(State* state, uint64_t code) noexcept nogil:
    cdef int kind = code >> 13 & 7
    cdef int card
    if kind == EXCHANGE:
        exchange(state)
        return
    if kind == CLOSE:
        close(state)
        return
    card = lowest64(narrow(code, state.flags))
    if kind == MARRIAGE:
        announce(state, state.leader, card >> 3)
    put_card(state, card)


cdef bint may_exchange(State* state) noexcept nogil:
    """For the one on lead."""
    return (is_open(state) and state.hands[state.leader] >> lowest_trump(state) & 1
            and (state.won[state.leader] > 0 or state.flags & FREE_EXCHANGE))


cdef uint32_t playable(State* state) noexcept nogil:
    """The cards the seat to move may play."""
    cdef uint32_t hand = state.hands[actor(state)]
    cdef int best
    if state.played == 0 or is_open(state):
        return hand
    best = state.trick[0]
    if state.played == 2 and beats(state.trick[1], best, state.trump):
        best = state.trick[1]
    return owed(hand, state.trick[0], best, state.trump, state.flags)


cdef int legal(State* state, uint64_t* codes) noexcept nogil:
    cdef uint32_t left, cards
    cdef int n = 0, suit, card
    if over(state):
        return 0
    left = playable(state)
    if state.played == 0:
        if may_exchange(state):
            codes[n] = <uint64_t>EXCHANGE << 13
            n += 1
        if is_open(state) and state.closing != NO_CLOSING:
            codes[n] = <uint64_t>CLOSE << 13
            n += 1
        for suit in range(4):
            if suit_of(left, suit) & KING_QUEEN == KING_QUEEN:
                if state.flags & EITHER:
                    codes[n] = code_of(suit * 8 + 3, MARRIAGE, state.flags)
                    n += 1
                codes[n] = code_of(suit * 8 + 2, MARRIAGE, state.flags)
                n += 1
    for suit in range(4):
        cards = left & lane(suit * 8)
        while cards:
            card = highest64(cards)
            cards ^= bit(card)
            codes[n] = code_of(card, 0, state.flags)
            n += 1
    return n


# ---- what _search.pxi asks for ----

cdef const char* check_numbers(const int64_t* row) noexcept nogil:
    cdef int i
    cdef int64_t players = row[28]
    if players < 2 or players > 3:
        return "there must be 2 or 3 players"
    if row[27] < 0 or row[27] >= players:
        return "the leader must be one of the players"
    if row[34] < 0 or row[34] >= players:
        return "the pov must be one of the players"
    if row[29] < 0 or row[29] > 3:
        return "the trump suit must be 0 to 3"
    if row[31] < 0 or row[31] > 15:
        return "flags must be 0 to 15"
    if row[32] < 0 or row[32] > 2:
        return "the closing mode must be 0 to 2"
    if row[33] < 0 or row[33] > 3:
        return "the closing penalty must be 0 to 3"
    if row[30] < NOBODY or row[30] >= players:
        return "who closed the stock must be one of the players, or -1"
    if row[30] != NOBODY and row[32] == NO_CLOSING:
        return "the stock is closed, but the rules know no closing"
    for i in range(3):
        if row[16 + i] < 0 or row[16 + i] > 250:
            return "points must be 0 to 250"
        if row[19 + i] < 0 or row[19 + i] > 100:
            return "pending points must be 0 to 100"
        if row[22 + i] < 0 or row[22 + i] > 8 * 3:
            return "tricks won must be 0 to 24"
        if row[22 + i] > 0 and row[19 + i] > 0:
            return "a seat with a trick has pending points"
        if i >= players and (row[16 + i] or row[19 + i] or row[22 + i]):
            return "a seat beyond the players has points or tricks"
    return check_closing(row)


cdef const char* check_closing(const int64_t* row) noexcept nogil:
    cdef int i, ahead = 0
    if row[30] != NOBODY:
        for i in range(row[28]):
            if (row[35] >> (16 * i) & 0xffff) > row[16 + i] or (row[36] >> (16 * i) & 0xffff) > row[22 + i]:
                return "a seat had more points or tricks at the closing than it has now"
    for i in range(row[28]):
        ahead += row[16 + i] >= GAME
    if ahead > 1:
        return "two seats have 66 points"
    return NULL


cdef const char* check_cards(const int64_t* row) noexcept nogil:
    cdef uint64_t deck = <uint64_t>(0x001f001f001f001f if row[31] & NO_NINES else 0x003f003f003f003f)
    cdef uint64_t seen = 0, cards
    cdef int i
    for i in range(3):
        cards = row[i]
        if cards & ~deck:
            return "a hand holds bits that are no cards"
        if i >= row[28] and cards:
            return "a seat beyond the players holds cards"
        if cards & seen:
            return "two hands hold the same card"
        seen |= cards
    if row[3] < 0 or row[3] > 12 or row[3] % row[28] != 0:
        return "the stock must hold 0 to 12 cards, as many for each player"
    for i in range(row[3] + 2):
        if i >= row[3] and row[25 + i - row[3]] == NO_CARD:
            continue
        cards = row[4 + i] if i < row[3] else row[25 + i - row[3]]
        if cards > 63 or not (<uint64_t>1 << cards) & deck:
            return "the stock or the trick holds something that is no card"
        if (<uint64_t>1 << cards) & seen:
            return "a card of the stock or the trick is there twice"
        seen |= <uint64_t>1 << cards
    return NULL


cdef const char* check(const int64_t* row) noexcept nogil:
    cdef const char* wrong = check_numbers(row)
    cdef int i, played, size
    if wrong != NULL:
        return wrong
    wrong = check_cards(row)
    if wrong != NULL:
        return wrong
    if row[25] == NO_CARD and row[26] != NO_CARD:
        return "the trick has a gap"
    played = (row[25] != NO_CARD) + (row[26] != NO_CARD)
    if played >= row[28]:
        return "the trick has too many cards"
    size = popcount64(row[row[27]]) + (played > 0)
    if size > 6:
        return "a hand has more than 6 cards"
    for i in range(row[28]):
        if popcount64(row[(row[27] + i) % row[28]]) + (i < played) != size:
            return "the hands are not of equal size"
    if size == 0 and row[3] > 0 and row[30] == NOBODY:
        return "the hands are empty while the stock is open"
    return NULL


cdef void unpack(const int64_t* row, State* state) noexcept nogil:
    cdef int i
    memset(state, 0, sizeof(State))
    state.flags = row[31]
    state.leader = row[27]
    state.players = row[28]
    state.trump = row[29]
    state.closed_by = row[30]
    state.closing = row[32]
    state.penalty = row[33]
    state.pov = row[34]
    for i in range(3):
        state.hands[i] = narrow(row[i], state.flags)
        state.points[i] = row[16 + i]
        state.pending[i] = row[19 + i]
        state.won[i] = row[22 + i]
        if state.closed_by != NOBODY:
            state.closing_points[i] = row[35] >> (16 * i) & 0xffff
            state.closing_won[i] = row[36] >> (16 * i) & 0xffff
    state.stock_size = row[3]
    for i in range(state.stock_size):
        state.stock[i] = narrow_card(row[4 + i], state.flags)
    for i in range(2):
        if row[25 + i] != NO_CARD:
            state.trick[i] = narrow_card(row[25 + i], state.flags)
            state.played += 1


cdef int twin(State* state, const uint64_t* codes, int i) noexcept nogil:
    """No two cards are alike here: every rank has its own points."""
    return -1


cdef inline int tally(State* state, int seat) noexcept nogil:
    return eyes(state, seat)


cdef bint maximising(State* state) noexcept nogil:
    return actor(state) == state.pov


cdef int value(State* state) noexcept nogil:
    return eyes(state, state.pov)


cdef int most(State* state, int seat) noexcept nogil:
    """The most eyes a seat's side can still cover, or be given by a closer who fails."""
    cdef int penalty
    if state.closed_by == NOBODY:
        return winning_eyes(state, seat)
    penalty = closing_penalty(state)
    return winning_eyes(state, seat) if state.closed_by == seat else penalty


cdef void span(State* state, int* low, int* high) noexcept nogil:
    """Points and tricks only grow, so the eyes of a win now are the most it can bring. A closing can always be left out: it
    never widens the span before it is made."""
    low[0] = -3
    high[0] = 3
    if state.players == 2:
        high[0] = most(state, state.pov)
        low[0] = -most(state, 1 - state.pov)


cdef int guess(Search* search, State* state) noexcept nogil:
    return 1


cdef void fresh(Search* search, State* root) noexcept nogil:
    """Makes the root's stock the one the search draws from, and keeps the entries if it is the same one, or its rest."""
    cdef Memory* memory = &search.memory
    cdef Memory found
    cdef int left
    if root.players == 2 and not is_open(root):
        return      # such races depend on no stock
    memset(&found, 0, sizeof(Memory))
    found.closing = root.closing
    found.penalty = root.penalty
    found.flags = root.flags
    found.players = root.players
    found.low = lowest_trump(root)
    if root.players == 2:
        found.low &= 7
    else:
        found.trump = root.trump
    if is_open(root):
        found.stock_size = root.stock_size - root.next
    for left in range(1, found.stock_size + 1):
        found.stock[left] = root.stock[root.stock_size - left]
        if root.players == 2:
            found.stock[left] = trump_first(found.stock[left], root.trump)
        found.rest[left] = found.rest[left - 1] | bit(found.stock[left])
    if same_stock(memory, &found):
        return
    found.stamp = memory.stamp + 1
    if found.stamp * STAMP == 0:        # a race's tag has room for no more of it
        memset(search.table, 0, search.table_bytes)
        found.stamp += 1
    memory[0] = found


cdef bint same_stock(const Memory* memory, const Memory* found) noexcept nogil:
    """Whether what was found is what is known, or its rest (the indicator may have been exchanged since)."""
    cdef int left
    for left in range(1, found.stock_size + 1):
        if found.stock[left] != memory.stock[left] and not (left == 1 and found.stock[1] == found.low):
            return False
    return (found.stock_size <= memory.stock_size and found.low == memory.low and found.closing == memory.closing
            and found.penalty == memory.penalty and found.flags == memory.flags and found.players == memory.players
            and found.trump == memory.trump)


cdef bint at_least(Search* search, State* state, int bound) noexcept nogil:
    if state.players == 2:
        return race_reaches(search, state, bound)
    return party_reaches(search, state, bound)


include "_sixty_six_race.pxi"
include "_sixty_six_party.pxi"
include "_sixty_six_max_n.pxi"
