"""The kernel of the games that are hands only: Antikoziris, Piramidė, `plain`; one side against the rest.

Row (int64[16]): 0..3 hands; 4..6 cards of the current trick in order played, -1 none; 7 leader of the current trick;
8 players; 9 trump suit or -1; 10 flags: 1 who cannot follow plays anything, 2 beat, 4 trumps are anti-trumps; 11 the side
as seat mask; 12 tricks it has won; 13, 14 sixteen signed bytes, little-endian: the utility of ending with t tricks; 15
spare, 0. The value is the utility the side ends with: it wants much, the others little. The tally is of tricks, without
those won before.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t

cpdef enum:
    WIDTH = 16
    MAX_MOVES = 13
    MAX_LINE = 52

cdef enum:
    VOID_ANY = 1
    BEAT = 2
    ANTI = 4
    NO_CARD = -1
    MAX_STEP = 1            # tricks: a first guess is seldom far off


cdef struct State:
    uint64_t hands[4]
    int8_t trick[4]         # cards of the current trick in the order played
    int8_t played           # how many there are
    int8_t leader           # seat that led, or is to lead
    int8_t players
    int8_t trump            # suit, or -1
    int8_t flags            # VOID_ANY | BEAT | ANTI
    int8_t side             # seat mask
    int8_t won              # tricks the side has
    int8_t taken[4]         # tricks by seat since the row
    int8_t utility[16]      # by tricks of the side at the end


cdef struct Proof:
    # That a class of positions answers a question with yes or no. The class: all of one shape, leader and rules that
    # have the same owners of the cards that mattered. Bits 0..51 of each word speak of cards in "packed" order: bit i
    # is the i-th lowest card in play, which within a suit is its relative rank.
    uint64_t odd            # the owner is seat 1 or 3;  bits 52..63: the first 12 bits of the question
    uint64_t upper          # the owner is seat 2 or 3;  bits 52, 53: the rest of it; 54: the answer
    uint64_t matter         # the cards that mattered


cdef enum:
    UNIT = 128              # bytes: a list of proofs takes 1, 2, 4, ... units
    SIZES = 8


cdef struct Slot:
    # Where the proofs of one shape, leader and rules are: one list, so that it can be read in one go.
    uint64_t shape          # suit lengths, see Memory
    uint32_t label          # leader (2 bits), rules (12 bits), generation (18 bits): of an older one, it is free
    uint32_t first          # unit at which the list begins
    uint16_t count          # proofs in it, the newest last
    uint16_t size           # it takes 1 << size units


cdef struct Memory:
    # the rules, the same all over a search
    int players
    int trump               # suit or -1
    int flags               # VOID_ANY | BEAT | ANTI
    int side                # seat mask
    int alone               # seats without friends, as a mask
    bint turned             # it is not the side of the questions but the other one, see at_least()
    uint64_t trumps         # the cards of the trump suit, or none
    uint32_t tag            # the rules in 12 bits
    uint32_t label          # of slots, but for the leader: the rules and the generation
    # the position, kept up to date in the recursion
    uint64_t hands[4]
    uint64_t all            # cards in play as of the start of the current trick
    uint64_t shape          # 4 bits for each seat and suit, number 4 * seat + suit: how many cards of the suit
    int left                # tricks to be played, the current one included
    uint64_t trick          # the cards of the current trick
    uint32_t goal           # bit t: t tricks more for the side, from the current one on, are what is asked for
    bint eager              # whether everybody wants tricks, see eager_goal()
    # the result beside yes or no
    uint64_t relevant       # the cards the result depends on: of each suit the lowest of them and all above
    # experience
    int8_t killer[16]       # by tricks left: the lead that last decided a node
    # the table: slots first, then lists of proofs
    Slot* first_slots       # where the memory of slots begins
    Slot* slots             # those in use now
    char* units
    uint64_t deal[4]        # hands of the position that began the generation
    int deal_trump          # that it was last played with
    int known               # tricks of `side` in it by the last answer about it with these trumps, or -1
    uint32_t slot_mask      # slots now, minus 1
    uint32_t most_slots
    uint32_t slots_used
    uint32_t units_used
    uint32_t unit_limit
    uint32_t free[SIZES]    # by size: a list no longer in use, whose first word is the next such; 0: none
    uint32_t generation


include "_search.pxi"


# ---- rules ----

cdef uint64_t[4] LANE       # by suit: all its cards
cdef uint64_t[64] UP        # by card: it and all above it in its suit


cdef void fill_tables() noexcept nogil:
    cdef int card
    for card in range(64):
        LANE[card >> 4] = <uint64_t>0x1fff << (card & 48)
        UP[card] = LANE[card >> 4] & (~<uint64_t>0 << card)


fill_tables()


cdef inline uint64_t lane(int suit) noexcept nogil:
    """All cards of a suit."""
    return LANE[suit]


cdef inline uint64_t bit(int card) noexcept nogil:
    return <uint64_t>1 << card


cdef inline bint beats(State* state, int card, int best) noexcept nogil:
    """Whether a card takes over a trick that `best` holds. An anti-trump holds a trick only when anti-trumps were led,
    and any other suit takes it from there; a trump takes it from any other suit."""
    if card >> 4 == best >> 4:
        return card > best
    if state.flags & ANTI:
        return best >> 4 == state.trump
    return card >> 4 == state.trump


cdef inline int holder(State* state) noexcept nogil:
    """Which card of the trick, by order played, holds it so far."""
    cdef int i, best = 0
    for i in range(1, state.played):
        if beats(state, state.trick[i], state.trick[best]):
            best = i
    return best


cdef inline int actor(State* state) noexcept nogil:
    return (state.leader + state.played) % state.players


cdef uint64_t playable(State* state) noexcept nogil:
    """The cards the seat to move may play."""
    cdef uint64_t hand = state.hands[actor(state)]
    cdef uint64_t owed, winning = 0
    cdef int best, led, i
    if state.played == 0:
        return hand
    led = state.trick[0] >> 4
    owed = hand & lane(led)
    if not owed and not state.flags & VOID_ANY and state.trump >= 0:
        if led != state.trump:
            owed = hand & lane(state.trump)
        elif state.flags & ANTI:
            for i in range(1, state.played):
                if state.trick[i] >> 4 != led:
                    owed = hand & lane(state.trick[i] >> 4)
                    break
    if not owed:
        return hand
    if state.flags & BEAT:
        best = state.trick[holder(state)]
        i = lowest64(owed) >> 4
        if i == best >> 4:
            winning = owed & ~((bit(best) << 1) - 1)
        elif i == state.trump and not state.flags & ANTI:
            winning = owed
    return winning or owed


cdef void apply(State* state, uint64_t code) noexcept nogil:
    cdef int best, seat = actor(state)
    state.hands[seat] &= ~code
    state.trick[state.played] = lowest64(code)
    state.played += 1
    if state.played == state.players:
        best = (state.leader + holder(state)) % state.players
        state.leader = best
        state.won += state.side >> best & 1
        state.taken[best] += 1
        state.played = 0


# ---- what _search.pxi asks for ----

cdef const char* check(const int64_t* row) noexcept nogil:
    cdef uint64_t seen = 0, hand
    cdef int i, size, played = 0
    cdef int players = row[8]
    if row[8] < 2 or row[8] > 4:
        return "there must be 2 to 4 players"
    if row[7] < 0 or row[7] >= row[8]:
        return "the leader must be one of the players"
    if row[9] < -1 or row[9] > 3:
        return "the trump suit must be 0 to 3, or -1 for none"
    if row[10] < 0 or row[10] > 7:
        return "flags must be 0 to 7"
    if row[11] < 0 or row[11] >= 1 << row[8]:
        return "the side must be a mask of the players' seats"
    for i in range(4):
        hand = row[i]
        if hand & ~<uint64_t>0x1fff1fff1fff1fff:
            return "a hand holds bits that are no cards"
        if i >= players and hand:
            return "a seat beyond the players holds cards"
        if hand & seen:
            return "two hands hold the same card"
        seen |= hand
    for i in range(3):
        if row[4 + i] == NO_CARD:
            continue
        if i > played:
            return "the trick has a gap"
        if row[4 + i] < 0 or row[4 + i] > 63 or not bit(row[4 + i]) & <uint64_t>0x1fff1fff1fff1fff:
            return "the trick holds something that is no card"
        if bit(row[4 + i]) & seen:
            return "a card of the trick is there twice"
        seen |= bit(row[4 + i])
        played += 1
    if played >= players:
        return "the trick has too many cards"
    size = popcount64(row[row[7]]) + (played > 0)
    if size > 13:
        return "a hand has more than 13 cards"
    for i in range(players):
        if popcount64(row[(row[7] + i) % players]) + (i < played) != size:
            return "the hands are not of equal size"
    if row[12] < 0 or row[12] + size > 15:
        return "the tricks won, and those to come, must be 0 to 15"
    return NULL


cdef void unpack(const int64_t* row, State* state) noexcept nogil:
    cdef int i
    state.played = 0
    for i in range(4):
        state.hands[i] = row[i]
        state.taken[i] = 0
        state.trick[i] = NO_CARD
    for i in range(3):
        if row[4 + i] != NO_CARD:
            state.trick[i] = row[4 + i]
            state.played += 1
    state.leader = row[7]
    state.players = row[8]
    state.trump = row[9]
    state.flags = row[10]
    state.side = row[11]
    state.won = row[12]
    for i in range(16):
        state.utility[i] = <int8_t>((<uint64_t>row[13 + i // 8]) >> (8 * (i % 8)) & 255)


cdef int legal(State* state, uint64_t* codes) noexcept nogil:
    cdef uint64_t left = playable(state), suit
    cdef int n = 0, card
    while left:
        suit = left & lane(lowest64(left) >> 4)
        left &= ~suit
        while suit:
            card = highest64(suit)
            suit ^= bit(card)
            codes[n] = bit(card)
            n += 1
    return n


cdef int twin(State* state, const uint64_t* codes, int i) noexcept nogil:
    """The card above, when the deal has none between: swapping their names gives the same deal."""
    cdef uint64_t others = 0
    cdef int j, seat = actor(state)
    if i == 0 or lowest64(codes[i]) >> 4 != lowest64(codes[i - 1]) >> 4:
        return -1
    for j in range(4):
        if j != seat:
            others |= state.hands[j]
    for j in range(state.played):
        others |= bit(state.trick[j])
    return -1 if others & (codes[i - 1] - codes[i]) else i - 1


cdef inline int tally(State* state, int seat) noexcept nogil:
    return state.taken[seat]


cdef bint maximising(State* state) noexcept nogil:
    return state.side >> actor(state) & 1


cdef int value(State* state) noexcept nogil:
    return state.utility[state.won]


cdef void span(State* state, int* low, int* high) noexcept nogil:
    """The extremes of the utilities that can still be reached."""
    cdef int t, left = popcount64(state.hands[actor(state)])
    low[0] = high[0] = state.utility[state.won]
    for t in range(state.won, state.won + left + 1):
        low[0] = min(low[0], <int>state.utility[t])
        high[0] = max(high[0], <int>state.utility[t])


cdef int guess(Search* search, State* state) noexcept nogil:
    """What the deal was worth with another seat on lead, if that is known; else what comes out when everybody plays the
    move he would try first."""
    cdef Memory* m = &search.memory
    if m.known < 0 or not whole_deal(m, state):
        return playout(search, state)
    return state.utility[state.won + (m.left - m.known if m.turned else m.known)]


cdef int playout(Search* search, State* state) noexcept nogil:
    cdef Memory* m = &search.memory
    cdef State game = state[0]
    cdef uint32_t goal = 0
    cdef int keys[MAX_MOVES]
    cdef uint64_t moves, trick
    cdef int i, n, best, seat, utmost = -128, high, low
    high = popcount64(game.hands[actor(&game)])
    for i in range(high + 1):
        utmost = max(utmost, <int>state.utility[state.won + i])
    for i in range(high + 1):
        if state.utility[state.won + i] == utmost:
            goal |= 1 << i
    if goal & (goal - 1) == 0 and (goal & 1 or goal >> high):
        low = (high + 1) // 2
        goal = (1 << low) - 1 if goal & 1 else (<uint32_t>2 << high) - (1 << low)
    while True:
        trick = 0
        for i in range(game.played):
            trick |= bit(game.trick[i])
        seat = actor(&game)
        if not game.hands[seat]:
            break
        moves = playable(&game)
        n = 1
        keys[0] = lowest64(moves)
        if moves & (moves - 1):
            for i in range(4):
                m.hands[i] = game.hands[i]
            m.all = trick | m.hands[0] | m.hands[1] | m.hands[2] | m.hands[3]
            m.left = popcount64(game.hands[seat])
            best = holder(&game)
            m.eager = eager_goal(goal, m.left)
            if game.played == 0:
                n = rate_leads(m, seat, keys)
            else:
                n = rate_replies(m, game.played, seat, moves, game.trick[0] >> 4, game.trick[best],
                                 (game.leader + best) % m.players, keys)
        i = game.won
        apply(&game, bit(next_key(keys, n, 1 << 30) & 63))
        goal >>= game.won - i
    fresh(search, state)
    return value(&game)


cdef void fresh(Search* search, State* root) noexcept nogil:
    """Puts the position into the search's memory."""
    cdef Memory* m = &search.memory
    cdef int seat, suit
    cdef bint same_deal = True
    m.players = root.players
    m.trump = root.trump
    m.trumps = lane(root.trump) if root.trump >= 0 else 0
    m.flags = root.flags
    m.side = root.side
    m.turned = not root.side & 1 and 2 * popcount64(root.side) == root.players
    if m.turned:
        m.side ^= (1 << root.players) - 1
    m.alone = 0
    for seat in range(root.players):
        if popcount64(m.side) == (1 if m.side >> seat & 1 else root.players - 1):
            m.alone |= 1 << seat
    m.tag = (root.players - 1) | (root.trump + 1) << 2 | root.flags << 5 | m.side << 8
    m.all = m.shape = 0
    for seat in range(4):
        if root.hands[seat] & ~m.deal[seat]:
            same_deal = False
        m.hands[seat] = root.hands[seat]
        m.all |= root.hands[seat]
        for suit in range(4):
            m.shape |= <uint64_t>popcount64(root.hands[seat] & lane(suit)) << 4 * (4 * seat + suit)
    m.left = popcount64(m.hands[(root.leader + root.played) % root.players])
    if m.first_slots == NULL:
        lay_out(m, search.table, search.table_bytes)
    if not same_deal or m.trump != m.deal_trump:
        m.deal_trump = m.trump
        m.known = -1
    if not same_deal:
        for seat in range(4):
            m.deal[seat] = root.hands[seat]
        memset(m.killer, 63, sizeof(m.killer))      # no card
        forget(m)
    m.label = m.tag << 2 | m.generation << 14


cdef inline bint whole_deal(Memory* m, State* state) noexcept nogil:
    """Whether it is the position that began the generation, whoever leads."""
    cdef int seat
    for seat in range(4):
        if state.hands[seat] != m.deal[seat]:
            return False
    return state.played == 0


cdef inline uint32_t others_goal(uint32_t goal, int left) noexcept nogil:
    """The tricks that the other side must take to keep a side from its goal."""
    cdef uint32_t turned = 0
    cdef int t
    for t in range(left + 1):
        if not goal >> t & 1:
            turned |= <uint32_t>1 << (left - t)
    return turned


cdef bint at_least(Search* search, State* state, int bound) noexcept nogil:
    """Turns the bound into the set of trick counts that reach it, and asks the search. Of two sides of equal size it is
    always that of seat 0 that is asked about, so that the table serves either."""
    cdef Memory* m = &search.memory
    cdef uint32_t goal = 0
    cdef int above = 127, below = -128
    cdef int i
    cdef bint reached
    for i in range(m.left + 1):
        if state.utility[state.won + i] >= bound:
            goal |= <uint32_t>1 << i
            above = min(above, <int>state.utility[state.won + i])
        else:
            below = max(below, <int>state.utility[state.won + i])
    if m.turned:
        goal = others_goal(goal, m.left)
    reached = from_root(search, state, goal)
    if goal and whole_deal(m, state):
        m.known = lowest64(goal) - (not reached)
    if m.turned:
        reached = not reached
    search.proved = above if reached else below
    return reached


cdef bint from_root(Search* search, State* state, uint32_t goal) noexcept nogil:
    """from_lead() or from_card() of a position."""
    cdef Memory* m = &search.memory
    cdef int i, best
    cdef bint reached
    m.trick = 0
    if state.played == 0:
        return from_lead(search, state.leader, goal)
    for i in range(state.played):
        m.trick |= bit(state.trick[i])
    m.all |= m.trick
    m.goal = goal
    m.eager = eager_goal(goal, m.left)
    best = holder(state)
    reached = from_card(search, state.played, (state.leader + state.played) % m.players, state.trick[0] >> 4,
                        state.trick[best], (state.leader + best) % m.players)
    m.all &= ~m.trick
    return reached


# ---- relevant cards ----

cdef enum:
    OWNERS = 52                                     # bits of an Entry's words that speak of cards


cdef inline uint64_t from_up(int card) noexcept nogil:
    """A card and all above it in its suit."""
    return UP[card]


cdef inline uint64_t upward(uint64_t cards) noexcept nogil:
    """Of each suit the lowest of the cards and all above it. Lane by lane: a borrow runs up to the lowest bit set."""
    cdef uint64_t guarded = cards | <uint64_t>0x8000800080008000
    return ~((guarded ^ (guarded - <uint64_t>0x0001000100010001)) >> 1) & <uint64_t>0x1fff1fff1fff1fff


cdef inline uint64_t over(uint64_t cards, int lowest) noexcept nogil:
    """All of a suit above the highest of some of its cards; all of it for none. lowest: the suit's lowest card. Without
    a branch, which no processor could foretell."""
    return UP[highest64(cards << 1 | bit(lowest))]


cdef inline uint64_t over_lowest(uint64_t cards, int lowest) noexcept nogil:
    """The lowest of some cards of a suit and all above it; nothing for none. lowest: the suit's lowest card."""
    return UP[lowest64(cards | bit(lowest + 13))]


# ---- the table ----

cdef enum:
    FEW_SLOTS = 1 << 9      # to begin with: a small deal should stay in cache
    PROBES = 8              # slots looked at


cdef void lay_out(Memory* m, char* table, size_t size) noexcept nogil:
    """Divides the table's memory, once: n slots in use are those from number n on, so that they can grow; then lists."""
    cdef uint32_t slots = 2 * FEW_SLOTS
    while slots * 2 * sizeof(Slot) * 8 <= size:
        slots *= 2
    m.most_slots = slots // 2
    m.first_slots = <Slot*>table
    m.units = table + slots * sizeof(Slot)
    m.unit_limit = min((size - slots * sizeof(Slot)) // UNIT, <size_t>1 << 31)
    want_large_pages(m.units, <size_t>m.unit_limit * UNIT)


cdef void forget(Memory* m) noexcept nogil:
    """Makes everything in the table void by starting a new generation."""
    m.slots_used = 0
    m.slot_mask = FEW_SLOTS - 1
    m.slots = m.first_slots + FEW_SLOTS
    m.units_used = 1            # 0 is none
    memset(m.free, 0, sizeof(m.free))
    m.generation += 1
    if m.generation >> 18:
        memset(m.first_slots, 0, m.most_slots * 2 * sizeof(Slot))
        m.generation = 1
    m.label = m.tag << 2 | m.generation << 14


cdef void grow(Memory* m) noexcept nogil:
    """Moves the slots in use to twice as many."""
    cdef Slot* old = m.slots
    cdef Slot* slot
    cdef uint32_t i, j, n = m.slot_mask + 1
    m.slot_mask = 2 * n - 1
    m.slots = m.first_slots + 2 * n
    m.slots_used = 0
    for i in range(n):
        if old[i].label >> 14 != m.generation:
            continue
        for j in range(PROBES):
            slot = m.slots + ((slot_index(old[i].shape, old[i].label & 3) + j) & m.slot_mask)
            if slot.label >> 14 != m.generation:
                slot[0] = old[i]
                m.slots_used += 1
                break


cdef inline uint32_t slot_index(uint64_t shape, int leader) noexcept nogil:
    return mix64(shape ^ <uint64_t>leader * <uint64_t>0x9e3779b97f4a7c15)


cdef inline Slot* slot_of(Memory* m, int leader, uint32_t index) noexcept nogil:
    """The slot of the position's shape, or the free one where it belongs; NULL when there is neither. index: its
    slot_index()."""
    cdef uint32_t label = leader | m.label
    cdef Slot* slot
    cdef int i
    for i in range(PROBES):
        slot = m.slots + ((index + i) & m.slot_mask)
        if slot.shape == m.shape and slot.label == label:
            return slot
        if slot.label >> 14 != m.generation:
            if m.slots_used * 2 > m.slot_mask and m.slot_mask + 1 < m.most_slots:
                grow(m)
                return slot_of(m, leader, index)
            slot.shape = m.shape
            slot.label = label
            slot.count = 0
            m.slots_used += 1
            return slot
    return NULL


cdef inline Proof* proofs_of(Memory* m, Slot* slot) noexcept nogil:
    return <Proof*>(m.units + <size_t>slot.first * UNIT)


cdef uint32_t new_list(Memory* m, int size) noexcept nogil:
    """Room for a list of 1 << size units; 0 when the table is full."""
    cdef uint32_t first = m.free[size]
    if first:
        m.free[size] = (<uint32_t*>(m.units + <size_t>first * UNIT))[0]
        return first
    first = m.units_used
    if first + (<uint32_t>1 << size) > m.unit_limit:
        return 0
    m.units_used += <uint32_t>1 << size
    return first


cdef bint make_room(Memory* m, Slot* slot) noexcept nogil:
    """Moves a full list to a place of twice the size; one of the largest size loses its older half instead."""
    cdef uint32_t first
    cdef Proof* proofs = proofs_of(m, slot)
    if slot.count and slot.size == SIZES - 1:
        slot.count //= 2
        memcpy(proofs, proofs + slot.count, slot.count * sizeof(Proof))
        return True
    first = new_list(m, slot.size + 1 if slot.count else 0)
    if first == 0:
        return False
    if slot.count:
        memcpy(m.units + <size_t>first * UNIT, proofs, slot.count * sizeof(Proof))
        (<uint32_t*>proofs)[0] = m.free[slot.size]
        m.free[slot.size] = slot.first
        slot.size += 1
    else:
        slot.size = 0
    slot.first = first
    return True


cdef inline void remember(Memory* m, int leader, uint32_t index, const Proof* proof) noexcept nogil:
    cdef Slot* slot = slot_of(m, leader, index)
    if slot == NULL:
        return
    if slot.count == 0 or slot.count == ((<uint32_t>UNIT << slot.size) // sizeof(Proof)):
        if not make_room(m, slot):
            forget(m)
            return
    proofs_of(m, slot)[slot.count] = proof[0]
    slot.count += 1


# ---- bounds ----

cdef inline int length(Memory* m, int seat, int suit) noexcept nogil:
    return m.shape >> 4 * (4 * seat + suit) & 15


cdef inline uint64_t team(Memory* m, int mask) noexcept nogil:
    """The cards of the seats in a mask."""
    cdef uint64_t cards = 0
    cdef int seat
    for seat in range(4):
        if mask >> seat & 1:
            cards |= m.hands[seat]
    return cards


cdef inline int kept(uint64_t mine, uint64_t theirs, uint64_t* relevant) noexcept nogil:
    """How many of a hand's trumps win tricks however they are played: each that does not takes a higher one of theirs
    with it."""
    cdef int card, count = 0, beaten = 0, total = popcount64(theirs), by_number = popcount64(mine) - total
    relevant[0] = 0
    while mine and beaten < total:
        card = highest64(mine)
        mine ^= bit(card)
        if beaten < popcount64(theirs & from_up(card)):
            beaten += 1
        else:
            count += 1
            relevant[0] = from_up(card)
    count += popcount64(mine)
    if count == by_number:
        relevant[0] = 0
    return count


cdef inline int sure(Memory* m, int mask, uint64_t theirs, uint64_t* relevant) noexcept nogil:
    """Tricks that a team takes whatever happens, by the trumps of one hand."""
    cdef uint64_t mine, matter
    cdef int seat, found, count = 0
    theirs &= m.trumps
    relevant[0] = 0
    for seat in range(m.players):
        mine = m.hands[seat] & m.trumps
        if mine and mask >> seat & 1:
            found = kept(mine, theirs, &matter)
            if found > count:
                count = found
                relevant[0] = matter
    return count


cdef struct Cashing:
    # What a leader cashes from his own hand, highest cards one after the other.
    int count               # tricks
    int rounds[4]           # by suit
    int limit[4]            # by suit: how many rounds are safe from ruffs
    int spare               # how many tricks outside trumps no hand of the team has to ruff
    bint kept               # trumps are not led: the team has its sure trump tricks later
    uint64_t relevant


cdef inline uint64_t above(uint64_t cards, uint64_t others) noexcept nogil:
    """Those of a suit's cards that are higher than all of the others."""
    return cards & from_up(highest64(others)) if others else cards


cdef inline uint64_t highest_of(uint64_t cards, int count) noexcept nogil:
    """The highest of some cards, at most so many."""
    cdef int surplus = popcount64(cards) - count
    while surplus > 0:
        cards &= cards - 1
        surplus -= 1
    return cards


cdef inline int longest(Memory* m, int suit, int but) noexcept nogil:
    cdef int seat, most = 0
    for seat in range(m.players):
        if seat != but:
            most = max(most, length(m, seat, suit))
    return most


cdef void cash(Memory* m, Cashing* c, int leader, int need, int later, uint64_t matter) noexcept nogil:
    """Tricks that the leader can take at once with highest cards of his own hand; stops when there are enough."""
    cdef uint64_t hand = m.hands[leader], others = m.all & ~hand, mine, tops
    cdef int seat, suit, k, most
    cdef int mates = m.side if m.side >> leader & 1 else ~m.side
    cdef bint high = m.trump >= 0 and not m.flags & ANTI
    cdef bint ruffing = high and (others & m.trumps) != 0
    c.count = c.relevant = 0
    c.spare = 13
    for suit in range(4):
        c.rounds[suit] = 0
        c.limit[suit] = 13
    if m.trumps & hand:
        mine = hand & m.trumps
        tops = above(mine, others & m.trumps)
        most = longest(m, m.trump, leader)
        k = popcount64(tops)
        if high:
            c.count = k
            if k >= most:
                c.count = popcount64(mine)
                ruffing = False
            k = min(k, most)
            c.rounds[m.trump] = c.count
        else:
            # anti-trumps win only while all follow
            for seat in range(m.players):
                if seat != leader:
                    k = min(k, length(m, seat, m.trump))
            c.count = k
            c.limit[m.trump] = k
        k = min(k, need)
        if k:
            c.relevant = from_up(lowest64(highest_of(tops, k)))
        if c.count >= need:
            return
    c.kept = ruffing and later > c.count
    if c.kept:
        c.count = later
        c.relevant = matter
        c.rounds[m.trump] = 0
    if ruffing:
        for seat in range(m.players):
            k = length(m, seat, m.trump)
            if not k:
                continue
            if mates >> seat & 1:
                c.spare = min(c.spare, m.left - k)
            if not mates >> seat & 1 or (not m.flags & VOID_ANY and seat != leader):
                for suit in range(4):
                    if suit != m.trump:
                        c.limit[suit] = min(c.limit[suit], length(m, seat, suit))
    for suit in range(4):
        mine = hand & lane(suit)
        if suit == m.trump or not mine:
            continue
        tops = above(mine, others & lane(suit))
        if not tops:
            continue
        most = longest(m, suit, leader)
        k = popcount64(tops)
        if k >= most:
            k = popcount64(mine)
        k = min(k, c.limit[suit])
        if ruffing:
            k = min(k, c.spare)
            c.spare -= k
        if k == 0:
            continue
        c.rounds[suit] = k
        c.count += k
        most = min(most, k - max(c.count - need, 0))
        c.relevant |= from_up(lowest64(highest_of(tops, most))) if most > 0 else 0
        if c.count >= need:
            return


cdef bint cash_across(Memory* m, Cashing* c, int leader, int mate, int need) noexcept nogil:
    """Whether that many tricks come in when the leader cashes his, then crosses to a mate who cashes his."""
    cdef uint64_t hand = m.hands[mate], mine, tops, relevant = 0
    cdef int suit, k, most, cashed, more = 0, side_tricks = 0
    cdef bint entry = False
    for suit in range(4):
        cashed = c.rounds[suit]
        mine = hand & lane(suit)
        k = length(m, mate, suit) - cashed
        if k <= 0 or (suit == m.trump and (c.kept or m.flags & ANTI)):
            continue
        tops = m.all & ~hand & lane(suit)
        tops &= ~highest_of(m.hands[leader] & lane(suit), cashed)
        tops = above(mine, tops)
        if not tops:
            continue
        most = longest(m, suit, mate) - cashed
        if popcount64(tops) < most:
            k = min(k, popcount64(tops))
        k = min(k, c.limit[suit] - cashed)
        if c.spare < 13 and suit != m.trump:
            if not m.flags & VOID_ANY and length(m, leader, m.trump) > c.rounds[m.trump]:
                k = min(k, length(m, leader, suit) - cashed)
            k = min(k, c.spare - side_tricks)
            side_tricks += max(k, 0)
        if k <= 0:
            continue
        more += k
        most = min(most, k)
        if most > 0:
            relevant |= from_up(lowest64(highest_of(tops, most)))
        entry = entry or length(m, leader, suit) > cashed
    if entry and c.count + more >= need:
        m.relevant = c.relevant | relevant
        return True
    return False


cdef bint cashes(Memory* m, int leader, int need, int later, uint64_t matter) noexcept nogil:
    """Whether the leader's team can take that many tricks before the others come in."""
    cdef Cashing c
    cdef int seat, mates = m.side if m.side >> leader & 1 else ~m.side
    if need > m.left:
        return False
    cash(m, &c, leader, need, later, matter)
    m.relevant = c.relevant
    if c.count >= need:
        return True
    for seat in range(m.players):
        if mates >> seat & 1 and seat != leader and cash_across(m, &c, leader, seat, need):
            return True
    return False


cdef bint bounded(Memory* m, int leader, uint32_t goal, bint* answer) noexcept nogil:
    """Whether sure tricks and those the leader can cash settle the question."""
    cdef int low = 0, high = m.left, need
    cdef uint32_t open
    cdef uint64_t ours, theirs, if_low = 0, if_high = 0
    if m.trumps and not m.flags & ANTI:
        ours = team(m, m.side)
        theirs = m.all & ~ours
        low = sure(m, m.side, theirs, &if_low)
        high = m.left - sure(m, ~m.side & 15, ours, &if_high)
        if low or high < m.left:
            open = (<uint32_t>2 << high) - (<uint32_t>1 << low)
            if not goal & open or not open & ~goal:
                answer[0] = goal & open != 0
                m.relevant = if_low | if_high
                return True
    if m.side >> leader & 1:
        # cashing is in the side's interest when nothing but more tricks is wanted
        if goal & (1 << m.left) and not (goal + (goal & (0 - goal))) & ((<uint32_t>2 << m.left) - 1):
            need = lowest64(goal)
            if cashes(m, leader, need, low, if_low):
                answer[0] = True
                return True
    else:
        need = m.left - lowest64(goal) + 1
        if cashes(m, leader, need, m.left - high, if_high):
            answer[0] = False
            return True
    return False


# ---- the search ----

cdef inline bint decided(uint32_t goal, int left, bint* answer) noexcept nogil:
    """Whether every number of tricks, or none, is in the goal."""
    if goal == 0:
        answer[0] = False
        return True
    if goal == (<uint32_t>2 << left) - 1:
        answer[0] = True
        return True
    return False


cdef bint from_lead(Search* search, int leader, uint32_t goal) noexcept nogil:
    """Whether the side can bring the number of tricks it takes from here on (bit t: t tricks) into the goal."""
    cdef Memory* m = &search.memory
    cdef bint answer = False
    cdef uint64_t odd, upper
    cdef uint32_t known, index
    cdef Slot* slot
    cdef Proof* proofs
    cdef Proof proof
    cdef int i
    goal &= (<uint32_t>2 << m.left) - 1
    if decided(goal, m.left, &answer):
        m.relevant = 0
        return answer
    if m.left == 1:
        return last_trick(m, leader, goal)
    index = slot_index(m.shape, leader)
    prefetch(m.slots + (index & m.slot_mask))
    if bounded(m, leader, goal, &answer):
        return answer
    slot = slot_of(m, leader, index)
    odd = pext64(m.hands[1] | m.hands[3], m.all)
    upper = pext64(m.hands[2] | m.hands[3], m.all)
    if slot != NULL and slot.count:
        proofs = proofs_of(m, slot)
        for i in range(<int>slot.count - 1, -1, -1):
            if (((proofs[i].odd ^ odd) | (proofs[i].upper ^ upper)) & proofs[i].matter) != 0:
                continue
            known = (proofs[i].odd >> OWNERS) | (proofs[i].upper >> OWNERS & 3) << 12
            answer = proofs[i].upper >> 54 & 1
            if not known & ~goal if answer else not goal & ~known:
                m.relevant = pdep64(proofs[i].matter, m.all)
                return answer
    if tick(search):
        return False
    m.goal = goal
    m.eager = eager_goal(goal, m.left)
    answer = from_card(search, 0, leader, 0, 0, leader)
    if search.aborted:
        return False
    m.relevant = upward(m.relevant)
    proof.odd = odd | <uint64_t>(goal & 0xfff) << OWNERS
    proof.upper = upper | <uint64_t>(goal >> 12) << OWNERS | <uint64_t>answer << 54
    proof.matter = pext64(m.relevant, m.all)
    remember(m, leader, index, &proof)
    return answer


cdef bint last_trick(Memory* m, int leader, uint32_t goal) noexcept nogil:
    """The trick that plays itself."""
    cdef int card, seat = leader, winner = leader, best = lowest64(m.hands[leader])
    cdef uint64_t suit
    for _ in range(1, m.players):
        seat = seat + 1 if seat + 1 < m.players else 0
        card = lowest64(m.hands[seat])
        if takes(m, card, best):
            best = card
            winner = seat
    suit = m.all & lane(best >> 4)
    m.relevant = from_up(best) if suit & (suit - 1) else 0
    return goal >> (m.side >> winner & 1) & 1


cdef inline bint takes(Memory* m, int card, int best) noexcept nogil:
    """See beats()."""
    if card >> 4 == best >> 4:
        return card > best
    if m.flags & ANTI:
        return best >> 4 == m.trump
    return card >> 4 == m.trump


cdef inline uint64_t allowed(Memory* m, int seat, int led, int best, uint64_t* constraint) noexcept nogil:
    """See playable(); where the ranks of the trick decide what may be played, they go into the constraint."""
    cdef uint64_t hand = m.hands[seat], owed = hand & lane(led), winning
    if not owed and not m.flags & VOID_ANY:
        # into an anti-trump lead: the first other suit played, which is that of the best card
        owed = hand & (lane(best >> 4) if led == m.trump else m.trumps)
    if not owed:
        return hand
    if m.flags & BEAT and owed & (owed - 1):
        if lowest64(owed) >> 4 == best >> 4:
            constraint[0] = from_up(best)
            winning = owed & from_up(best)
            return winning or owed
    return owed


cdef inline uint64_t run_of(Memory* m, uint64_t hand, int card) noexcept nogil:
    """The cards of a hand that nothing in play separates from one of them."""
    cdef uint64_t others = m.all & ~hand & lane(card >> 4)
    return hand & over(others & ~from_up(card), card & 48) & ~over_lowest(others & from_up(card), card & 48)


cdef bint from_card(Search* search, int place, int seat, int led, int best, int winner) noexcept nogil:
    """The same in the middle of a trick: `place` cards lie there, `best` of `winner` holds it, `seat` is to play."""
    cdef Memory* m = &search.memory
    cdef uint64_t hand = m.hands[seat], moves, mattered = 0, constraint = 0, run, nibble
    cdef bint wants, answer
    cdef int card, i, n = 1, key = 1 << 30
    cdef int keys[MAX_MOVES]
    cdef int next = seat + 1 if seat + 1 < m.players else 0
    moves = hand if place == 0 else allowed(m, seat, led, best, &constraint)
    wants = m.side >> seat & 1
    if moves & (moves - 1) == 0:
        keys[0] = lowest64(moves)
    elif place == 0:
        n = rate_leads(m, seat, keys)
    else:
        n = rate_replies(m, place, seat, moves, led, best, winner, keys)
    for i in range(n):
        key = next_key(keys, n, key)
        card = key & 63
        # A run of which only the lower part was ruled out is still tried: its ranks mattered.
        if i and not moves & run_of(m, hand, card):
            continue
        nibble = <uint64_t>1 << (16 * seat + 4 * (card >> 4))
        m.hands[seat] = hand ^ bit(card)
        m.shape -= nibble
        m.trick |= bit(card)
        if place == 0:
            answer = from_card(search, 1, next, card >> 4, card, seat)
        elif takes(m, card, best):
            answer = after_card(search, place, next, led, card, seat)
        else:
            answer = after_card(search, place, next, led, best, winner)
        m.trick ^= bit(card)
        m.hands[seat] = hand
        m.shape += nibble
        if search.aborted:
            return False
        if answer == wants:
            m.relevant |= constraint
            if place == 0:
                m.killer[m.left] = card
            return wants
        run = run_of(m, hand, card)
        moves &= ~run
        m.relevant = upward(m.relevant)
        if m.relevant & run:
            m.relevant |= from_up(lowest64(run))    # all of them have failed, for that they stand side by side
        else:
            moves &= ~(lane(card >> 4) & ~m.relevant)   # ranks below did not matter: those cards fail likewise
        mattered |= m.relevant
    m.relevant = mattered | constraint
    return not wants


cdef inline bint after_card(Search* search, int place, int seat, int led, int best, int winner) noexcept nogil:
    """The same after the card of that place."""
    if place + 1 == search.memory.players:
        return next_trick(search, best, winner)
    return from_card(search, place + 1, seat, led, best, winner)


cdef bint next_trick(Search* search, int best, int winner) noexcept nogil:
    cdef Memory* m = &search.memory
    cdef bint answer
    cdef bint eager = m.eager
    cdef uint32_t goal = m.goal
    cdef uint64_t trick = m.trick, suit = trick & lane(best >> 4)
    m.all ^= trick
    m.left -= 1
    m.trick = 0
    answer = from_lead(search, winner, goal >> (m.side >> winner & 1))
    m.trick = trick
    m.goal = goal
    m.eager = eager
    m.all ^= trick
    m.left += 1
    if suit & (suit - 1):
        m.relevant |= from_up(best)
    return answer


# ---- ordering ----

cdef enum:
    # Weights of the ordering: points for a move, found by a hill climb (bench/tune_plain.py).
    EASY = 359              # eager, friends win the trick anyway
    EASY_RANK = 22          # less for each rank
    EASY_TAKES = -78        # less for a card that takes it all the same
    WINS = 320              # eager, no enemy can beat the card
    WINS_RANK = 5           # less for each rank
    RISKS = 42              # eager, the card takes the trick but an enemy can beat it
    RISKS_RANK = 9          # less for each rank
    LOSES = -29             # eager, the card cannot take the trick
    LOSES_RANK = 43         # less for each rank
    TRUMP_SAVED = 93        # eager, less for a trump that does not win for sure
    LEAD_WINS = 40          # eager lead, no enemy can beat it
    LEAD_WINS_RANK = -1     # more for each rank
    LEAD_WINS_OUT = -12     # less for each card of the suit in other hands
    LEAD_FRIEND = 238       # eager lead, a friend can win
    LEAD_FRIEND_RANK = 14   # less for each rank
    LEAD_LOSES = 23         # eager lead, an enemy can win
    LEAD_LOSES_RANK = 5     # less for each rank
    LEAD_LOSES_OUT = -2     # more for each card of the suit in other hands
    LEAD_TRUMP = -21        # eager lead of a trump
    LEAD_LENGTH = 15        # eager lead, for each card of the suit in hand
    DISCARD_LENGTH = -19    # eager, not following, for each card of the suit in hand
    RUFF = 25               # eager, for a trump on another suit
    LEAD_BEATEN = -5        # eager lead, for each enemy card above it
    LEAD_MATES = 29         # eager lead, for each card of the suit a friend holds
    TAKES_EARLY = -5        # eager, taking the trick with a friend still to play
    DISCARD_TOP = -43       # eager, not following, throwing the suit's highest card
    DISCARD_LAST = 6        # eager, not following, throwing the last card of a suit
    DISCARD_GUARD = 19      # eager, not following, throwing one of two cards
    LEAD_LAST = 21          # eager lead of the last card of a suit
    LEAD_TRUMP_WINS = -43   # eager lead of a trump that wins
    LEAD_RUFFED = -90       # eager lead an enemy can ruff
    LEAD_KILLER = 121       # the lead that decided the last node with as many tricks left

# Of a lead, by who holds the highest card of the suit and who the second: see top_roles().
cdef int8_t[16] LEAD_TOPS = [-18, -32, -21, 5, 0, -5, 14, -53, 14, 40, -22, -4, -16, -23, -30, -18]
# By who holds the highest card, and whether the lead is the lowest of the hand, between, or the highest.
cdef int8_t[12] LEAD_PLACE = [12, 16, -1, 19, -5, -11, 1, 41, 9, 10, 37, 9]

# Shy leads: of a seat with friends, of one that plays alone.
cdef int8_t[2] SHY_LEAD_PASSES = [50, 87]           # lead, an enemy must take it over
cdef int8_t[2] SHY_LEAD_PASSES_RANK = [28, 2]       # more for each rank
cdef int8_t[2] SHY_LEAD_HOPES = [-6, 78]            # lead, an enemy can take it over
cdef int8_t[2] SHY_LEAD_HOPES_RANK = [-16, -7]      # less for each rank
cdef int8_t[2] SHY_LEAD_HOPES_OUT = [-23, 7]        # less for each card of the suit in other hands
cdef int8_t[2] SHY_LEAD_STUCK = [-73, -64]          # lead, no enemy can take it over
cdef int8_t[2] SHY_LEAD_STUCK_RANK = [-9, -37]      # less for each rank
cdef int8_t[2] SHY_LEAD_LENGTH = [-37, -10]         # lead, for each card of the suit in hand
cdef int8_t[2] SHY_LEAD_TRUMP = [-120, -69]         # lead of a trump
cdef int8_t[2] SHY_LEAD_BEATEN = [19, -9]           # lead, for each enemy card above it
cdef int8_t[2] SHY_LEAD_MATES = [22, -10]           # lead, for each card of the suit a friend holds
cdef int8_t[2] SHY_LEAD_LAST = [31, 17]             # lead of the last card of a suit
cdef int8_t[2] SHY_LEAD_TRUMP_WINS = [95, -73]      # lead of a trump that wins
cdef int8_t[2] SHY_LEAD_RUFFED = [-116, -9]         # lead an enemy can ruff
cdef int8_t[2] SHY_LEAD_BELOW = [34, 6]             # lead, for each card of other hands below it
cdef int8_t[2] SHY_LEAD_KILLER = [7, 40]            # the lead that decided the last node with as many tricks left

# Shy replies: of a seat whose friends do not hold the trick, or do, of one that plays alone.
cdef int8_t[3] DUCKS = [-15, -5, 30]                # the card stays below
cdef int8_t[3] DUCKS_RANK = [13, 6, 38]             # more for each rank
cdef int8_t[3] PASSES = [5, 127, 88]                # an enemy must take the trick over
cdef int8_t[3] PASSES_RANK = [15, 42, 56]           # more for each rank
cdef int8_t[3] HOPES = [-10, 22, -24]               # an enemy can take the trick over
cdef int8_t[3] HOPES_RANK = [70, 111, -6]           # less for each rank
cdef int8_t[3] STUCK = [-45, 5, -2]                 # nobody can take the trick over
cdef int8_t[3] STUCK_RANK = [2, -1, 4]              # more for each rank
cdef int8_t[3] SHY_DISCARD_LENGTH = [-6, -28, -79]  # not following, for each card of the suit in hand
cdef int8_t[3] SHY_RUFF = [-15, -25, -55]           # for a trump on another suit
cdef int8_t[3] SHY_DISCARD_TOP = [7, -27, -1]       # not following, throwing the suit's highest card
cdef int8_t[3] SHY_DISCARD_LAST = [24, 7, 15]       # not following, throwing the last card of a suit
cdef int8_t[3] SHY_DISCARD_RANK = [18, 39, 2]       # not following, more for each rank


cdef struct Outlook:
    # How the trick may go on after the card to be played. A force is what a card is worth in this trick: 0 cannot win,
    # else the higher wins.
    int mine                # whether the side of the seat to move holds the trick
    int best                # force of the card that holds it
    int enemy_high          # the highest force an enemy who is yet to play can come to
    int enemy_low           # the highest force an enemy who is yet to play must come to, at the least
    int friend_high         # the highest force a friend who is yet to play can come to
    int friends             # how many friends are yet to play
    int alone               # whether the seat to move has no friends
    int kind                # 2 if it has none, else whether they hold the trick
    bint safe               # whether the trick is the side's without the card


cdef inline int force(Memory* m, int card, int led, int best) noexcept nogil:
    """0 for what cannot win; cards of the led suit 16.., above them the suit that takes it."""
    cdef int suit = card >> 4
    if m.flags & ANTI and led == m.trump:
        if suit == led:
            return 16 + (card & 15)
        if best >> 4 == led or best >> 4 == suit:
            return 32 + (card & 15)
        return 0
    if suit == led:
        return 16 + (card & 15)
    if suit == m.trump and not m.flags & ANTI:
        return 32 + (card & 15)
    return 0


cdef inline void forces(Memory* m, int seat, int led, int best, int* low, int* high) noexcept nogil:
    """The least and the most force a seat can bring to the trick."""
    cdef uint64_t hand = m.hands[seat], owed = hand & lane(led)
    if owed:
        low[0] = 16 + (lowest64(owed) & 15)
        high[0] = 16 + (highest64(owed) & 15)
        return
    low[0] = high[0] = 0
    if m.flags & ANTI:
        if led == m.trump:
            if best >> 4 != led:
                owed = hand & lane(best >> 4)
                if owed:
                    high[0] = 32 + (highest64(owed) & 15)
                    low[0] = 0 if m.flags & VOID_ANY else 32 + (lowest64(owed) & 15)
            else:
                high[0] = 32 + 12
                low[0] = 32
        return
    owed = hand & m.trumps
    if owed:
        high[0] = 32 + (highest64(owed) & 15)
        if not m.flags & VOID_ANY or owed == hand:
            low[0] = 32 + (lowest64(owed) & 15)


cdef inline void look_out(Memory* m, Outlook* o, int place, int seat, int led, int best, int winner) noexcept nogil:
    cdef int other = seat, low = 0, high = 0, mine = m.side >> seat & 1
    o.enemy_high = o.enemy_low = o.friend_high = o.friends = 0
    for _ in range(place + 1, m.players):
        other = other + 1 if other + 1 < m.players else 0
        forces(m, other, led, best, &low, &high)
        if (m.side >> other & 1) == mine:
            o.friend_high = max(o.friend_high, high)
            o.friends += 1
        else:
            o.enemy_high = max(o.enemy_high, high)
            o.enemy_low = max(o.enemy_low, low)
    o.mine = 0
    o.best = 0
    o.alone = m.alone >> seat & 1
    if place:
        o.best = force(m, best, led, best)
        o.mine = (m.side >> winner & 1) == mine
    o.kind = 2 if o.alone else o.mine
    if o.mine:
        o.safe = max(o.friend_high, o.best) > o.enemy_high
    else:
        o.safe = o.friend_high > max(o.enemy_high, o.best)


cdef inline int rate_card(Outlook* o, int power, int rank, bint trump, bint eager) noexcept nogil:
    """What a card of that force does for the trick."""
    if eager:
        if o.safe:
            return EASY - EASY_RANK * rank - (TRUMP_SAVED if trump else 0) - (EASY_TAKES if power > o.best else 0)
        if power <= o.best:
            return LOSES - LOSES_RANK * rank - (TRUMP_SAVED if trump else 0)
        if power > o.enemy_high:
            return WINS - WINS_RANK * rank
        return RISKS - RISKS_RANK * rank - (TRUMP_SAVED if trump else 0)
    if power <= o.best:
        return DUCKS[o.kind] + DUCKS_RANK[o.kind] * rank
    if o.enemy_low > power:
        return PASSES[o.kind] + PASSES_RANK[o.kind] * rank
    if o.enemy_high > power:
        return HOPES[o.kind] - HOPES_RANK[o.kind] * rank
    return STUCK[o.kind] + STUCK_RANK[o.kind] * rank


cdef inline int rate_discard(Memory* m, Outlook* o, int suit, uint64_t run, uint64_t mine, uint64_t others,
                             bint eager) noexcept nogil:
    """What it does for the hand to throw a card of another suit than the one led."""
    cdef int size = popcount64(mine), score = (DISCARD_LENGTH if eager else SHY_DISCARD_LENGTH[o.kind]) * size
    if run & above(mine, others):
        score += DISCARD_TOP if eager else SHY_DISCARD_TOP[o.kind]
    if size == 1:
        score += DISCARD_LAST if eager else SHY_DISCARD_LAST[o.kind]
    elif size == 2 and eager:
        score += DISCARD_GUARD
    if not eager:
        score += SHY_DISCARD_RANK[o.kind] * (highest64(run) & 15)
    if suit == m.trump:
        score += RUFF if eager else SHY_RUFF[o.kind]
    return score


cdef inline int rate_suit(Memory* m, Outlook* o, int suit, int mine, int friends, bint eager) noexcept nogil:
    """What it does to lead a suit, whichever card."""
    cdef int score
    if eager:
        score = LEAD_LENGTH * mine + LEAD_MATES * friends
    else:
        score = SHY_LEAD_LENGTH[o.alone] * mine + SHY_LEAD_MATES[o.alone] * friends
    if mine == 1:
        score += LEAD_LAST if eager else SHY_LEAD_LAST[o.alone]
    if o.enemy_high >= 32:
        score += LEAD_RUFFED if eager else SHY_LEAD_RUFFED[o.alone]
    if suit == m.trump:
        score += LEAD_TRUMP if eager else SHY_LEAD_TRUMP[o.alone]
    return score


cdef inline int rate_lead(Outlook* o, int card, int others, bint eager) noexcept nogil:
    """What it does to lead a card of its suit."""
    cdef int power = 16 + (card & 15), rank = card & 15
    if eager:
        if power > o.enemy_high:
            return LEAD_WINS + LEAD_WINS_RANK * rank - LEAD_WINS_OUT * others
        if o.friend_high > o.enemy_high:
            return LEAD_FRIEND - LEAD_FRIEND_RANK * rank
        return LEAD_LOSES - LEAD_LOSES_RANK * rank + LEAD_LOSES_OUT * others
    if o.enemy_low > power:
        return SHY_LEAD_PASSES[o.alone] + SHY_LEAD_PASSES_RANK[o.alone] * rank
    if o.enemy_high > power:
        return SHY_LEAD_HOPES[o.alone] - SHY_LEAD_HOPES_RANK[o.alone] * rank - SHY_LEAD_HOPES_OUT[o.alone] * others
    return SHY_LEAD_STUCK[o.alone] - SHY_LEAD_STUCK_RANK[o.alone] * rank


cdef inline bint eager_goal(uint32_t goal, int left) noexcept nogil:
    """Whether it is tricks that the side lacks, rather than that it has too many: then everybody wants tricks. Where it
    may take neither too few nor too many, they are wanted; in a playout that has overshot its goal, they are not."""
    if goal & 1:
        return goal >> left & 1 and not goal & 2
    return goal != 0


cdef inline int role(Memory* m, int seat, int card) noexcept nogil:
    """Who holds a card, seen from the leader: 0 he himself, 1 a friend, 2 an enemy, 3 an enemy who plays last."""
    cdef int other
    for other in range(3):
        if m.hands[other] >> card & 1:
            break
    else:
        other = 3
    if other == seat:
        return 0
    if (m.side >> other & 1) == (m.side >> seat & 1):
        return 1
    return 3 if (other + 1 if other + 1 < m.players else 0) == seat else 2


cdef inline int top_roles(Memory* m, int seat, int suit) noexcept nogil:
    """4 times the role of the holder of a suit's highest card, plus that of the second highest."""
    cdef uint64_t cards = m.all & lane(suit)
    cdef int top = highest64(cards), roles
    roles = 4 * role(m, seat, top)
    cards ^= bit(top)
    return roles + (role(m, seat, highest64(cards)) if cards else 0)


cdef inline int add(int* keys, int n, int card, int score) noexcept nogil:
    """Puts a card beside n others. A key is the card in 6 bits, above them what decides: the score, and of equals which
    came first."""
    keys[n] = score * 1024 + (MAX_MOVES - n) * 64 + card
    return n + 1


cdef inline int next_key(const int* keys, int n, int last) noexcept nogil:
    """The highest key below the last one. Mostly the first is all that is asked for, so they are not sorted."""
    cdef int i, key, top = -(1 << 30)
    for i in range(n):
        key = keys[i] if keys[i] < last else top
        top = max(top, key)
    return top


cdef inline uint64_t equals(uint64_t cards, int card, uint64_t others) noexcept nogil:
    """Those of some cards of one suit, the highest being `card`, that none of the others separates from it."""
    return cards & over(others & lane(card >> 4) & ~from_up(card), card & 48)


cdef int rate_leads(Memory* m, int seat, int* keys) noexcept nogil:
    """Keys of the leads, one of each run, the higher the more promising."""
    cdef Outlook o
    cdef bint eager = m.eager, first
    cdef uint64_t hand = m.hands[seat], others = m.all & ~hand, moves, run, in_suit
    cdef uint64_t enemies = team(m, (~m.side if m.side >> seat & 1 else m.side) & 15)
    cdef int n = 0, card, suit, score, for_suit, place, roles, out
    for suit in range(3, -1, -1):
        moves = hand & lane(suit)
        if not moves:
            continue
        in_suit = others & lane(suit)
        out = popcount64(in_suit)
        look_out(m, &o, 0, seat, suit, suit << 4, seat)
        for_suit = rate_suit(m, &o, suit, popcount64(moves), popcount64(in_suit & ~enemies), eager)
        roles = top_roles(m, seat, suit) if eager else 0
        first = True
        while moves:
            card = highest64(moves)
            run = equals(moves, card, others)
            moves ^= run
            score = for_suit + rate_lead(&o, card, out, eager)
            score += (LEAD_BEATEN if eager else SHY_LEAD_BEATEN[o.alone]) * popcount64(enemies & from_up(card))
            if suit == m.trump and o.enemy_high < 16 + (card & 15):
                score += LEAD_TRUMP_WINS if eager else SHY_LEAD_TRUMP_WINS[o.alone]
            if eager:
                place = 0 if not moves else 2 if first else 1
                score += LEAD_TOPS[roles] + LEAD_PLACE[(roles >> 2) * 3 + place]
            else:
                score += SHY_LEAD_BELOW[o.alone] * popcount64(in_suit & ~from_up(card))
            first = False
            if run >> m.killer[m.left] & 1:
                score += LEAD_KILLER if eager else SHY_LEAD_KILLER[o.alone]
            n = add(keys, n, card, score)
    return n


cdef int rate_replies(Memory* m, int place, int seat, uint64_t moves, int led, int best, int winner,
                      int* keys) noexcept nogil:
    """Keys of the cards that may be played to a trick, one of each run, the higher the more promising."""
    cdef Outlook o
    cdef bint eager = m.eager
    cdef uint64_t hand = m.hands[seat], others = m.all & ~hand, run, in_suit
    cdef int n = 0, card, suit, score, power
    card = highest64(moves)
    if equals(moves & lane(card >> 4), card, others) == moves:
        keys[0] = card if force(m, card, led, best) > force(m, best, led, best) else lowest64(moves)
        return 1
    look_out(m, &o, place, seat, led, best, winner)
    while moves:
        suit = highest64(moves) >> 4
        in_suit = moves & lane(suit)
        moves ^= in_suit
        while in_suit:
            card = highest64(in_suit)
            run = equals(in_suit, card, others)
            in_suit ^= run
            power = force(m, card, led, best)
            score = rate_card(&o, power, card & 15, suit == m.trump, eager)
            if eager and o.friends and power > o.best:
                score += TAKES_EARLY
            if suit != led:
                score += rate_discard(m, &o, suit, run, hand & lane(suit), others & lane(suit), eager)
            # of equal cards the highest to win with, the lowest to lose with: fewer ranks will matter
            n = add(keys, n, card if power > o.best else lowest64(run), score)
    return n
