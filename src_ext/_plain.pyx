# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The kernel of the games that are hands only: Antikoziris, Piramidė, `plain`; one side against the rest.

Row (int64[16]): 0..3 hands; 4..6 cards of the current trick in order played, -1 none; 7 leader of the current trick;
8 players; 9 trump suit or -1; 10 flags: 1 who cannot follow plays anything, 2 beat, 4 trumps are anti-trumps; 11 the side
as seat mask; 12 tricks it has won; 13, 14 sixteen signed bytes, little-endian: the utility of ending with t tricks; 15
spare, 0. The value is the utility the side ends with: it wants much, the others little.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t, uint64_t

cpdef enum:
    WIDTH = 16
    MAX_MOVES = 13
    MAX_LINE = 52

cdef enum:
    VOID_ANY = 1
    BEAT = 2
    ANTI = 4
    NO_CARD = -1


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
    int8_t utility[16]      # by tricks of the side at the end


cdef struct Entry:
    # Proof that a class of positions answers a question with yes or no. The class: all with the same lengths of suits
    # in the hands, the same leader and rules, and the same owners of the cards that mattered. Owners stand in "packed"
    # order: bit i is for the i-th lowest card in play, which within a suit is its relative rank.
    uint64_t shape          # suit lengths, see Memory
    uint64_t odd            # 52 bits: owner is seat 1 or 3;    bits 52..: the first 12 bits of the question
    uint64_t upper          # 52 bits: owner is seat 2 or 3;    bits 52..: 2 bits of the question, answer, lead (6 bits)
    uint64_t matter         # 52 bits: the cards that mattered; bits 52..: rules


cdef struct Memory:
    # the rules, the same all over a search
    int players
    int trump               # suit or -1
    int flags               # VOID_ANY | BEAT | ANTI
    int side                # seat mask
    uint64_t trumps         # the cards of the trump suit, or none
    uint64_t tag            # the rules in 12 bits
    # the position, kept up to date in the recursion
    uint64_t hands[4]
    uint64_t all            # cards in play as of the start of the current trick
    uint64_t shape          # 4 bits for each seat and suit, number 4 * seat + suit: how many cards of the suit
    int left                # tricks to be played, the current one included
    # the result beside yes or no
    uint64_t relevant       # the cards the result depends on: of each suit the lowest of them and all above
    # experience
    int32_t history[4][64]  # by seat and card: how often it decided a node
    int8_t killer[16][4]    # by tricks left and place in the trick: the card that last did
    uint32_t turn           # which entry of a bucket to replace next


include "_search.pxi"



# ---- rules ----

cdef inline uint64_t lane(int suit) noexcept nogil:
    """All cards of a suit."""
    return <uint64_t>0x1fff << (suit * 16)


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
                    return hand & lane(state.trick[i] >> 4) or hand
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
    cdef int low = 0, high = 0
    span(state, &low, &high)
    return (low + high) // 2


cdef void fresh(Search* search, State* root) noexcept nogil:
    """Puts the position into the search's memory; what was learned of cards fades."""
    cdef Memory* m = &search.memory
    cdef int seat, suit, card
    m.players = root.players
    m.trump = root.trump
    m.trumps = lane(root.trump) if root.trump >= 0 else 0
    m.flags = root.flags
    m.side = root.side
    m.tag = (root.players - 1) | (root.trump + 1) << 2 | root.flags << 5 | root.side << 8
    m.all = m.shape = 0
    for seat in range(4):
        m.hands[seat] = root.hands[seat]
        m.all |= root.hands[seat]
        for suit in range(4):
            m.shape |= <uint64_t>popcount64(root.hands[seat] & lane(suit)) << 4 * (4 * seat + suit)
            for card in range(16):
                m.history[seat][16 * suit + card] >>= 2
    m.left = popcount64(m.hands[(root.leader + root.played) % root.players])


cdef bint at_least(Search* search, State* state, int bound) noexcept nogil:
    """Turns the bound into the set of trick counts that reach it, and asks the search."""
    cdef Memory* m = &search.memory
    cdef uint32_t goal = 0
    cdef uint64_t trick = 0
    cdef int i, best
    for i in range(m.left + 1):
        if state.utility[state.won + i] >= bound:
            goal |= 1 << i
    if state.played == 0:
        return from_lead(search, state.leader, goal)
    for i in range(state.played):
        trick |= bit(state.trick[i])
    m.all |= trick
    best = holder(state)
    goal = from_card(search, state.played, (state.leader + state.played) % m.players, state.trick[0] >> 4,
                     state.trick[best], (state.leader + best) % m.players, trick, goal)
    m.all &= ~trick
    return goal


# ---- relevant cards ----

cdef enum:
    OWNERS = 52                                     # bits of an Entry's words that speak of cards


cdef inline uint64_t from_up(int card) noexcept nogil:
    """A card and all above it in its suit."""
    return (<uint64_t>0x1fff << (card & 48)) & (~<uint64_t>0 << card)


cdef inline uint64_t upward(uint64_t cards) noexcept nogil:
    """Of each suit the lowest of the cards and all above it. Lane by lane: a borrow runs up to the lowest bit set."""
    cdef uint64_t guarded = cards | <uint64_t>0x8000800080008000
    return ~((guarded ^ (guarded - <uint64_t>0x0001000100010001)) >> 1) & <uint64_t>0x1fff1fff1fff1fff


# ---- the table ----

cdef enum:
    WAYS = 8                # entries in a bucket


cdef inline Entry* bucket(Search* search, int leader) noexcept nogil:
    cdef Memory* m = &search.memory
    cdef uint64_t index = mix64(m.shape ^ (m.tag << 2 | leader) * <uint64_t>0x9e3779b97f4a7c15)
    return <Entry*>search.table + (index & (search.table_bytes // sizeof(Entry) - 1) & ~<uint64_t>(WAYS - 1))


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


cdef inline int sure(Memory* m, int mask, uint64_t theirs, uint64_t* relevant) noexcept nogil:
    """Tricks that a team takes whatever happens, by its trumps above all of theirs: those of one hand win one each."""
    cdef uint64_t tops = m.all & m.trumps & ~theirs
    cdef int seat, count = 0
    if theirs & m.trumps:
        tops &= from_up(highest64(theirs & m.trumps))
    relevant[0] = 0
    if not tops:
        return 0
    for seat in range(4):
        if mask >> seat & 1 and popcount64(m.hands[seat] & tops) > count:
            count = popcount64(m.hands[seat] & tops)
            relevant[0] = from_up(lowest64(m.hands[seat] & tops))
    return count


cdef int cash(Memory* m, int leader, int need) noexcept nogil:
    """Tricks that the leader can take at once with highest cards, one after the other, all from his own hand; counting
    stops when there are enough. Sets what the result depends on."""
    cdef uint64_t hand = m.hands[leader], others = m.all & ~hand, theirs, mine, tops
    cdef uint64_t relevant = 0
    cdef int seat, suit, count = 0, rounds, longest, k, discards = 13
    cdef int mates = m.side if m.side >> leader & 1 else ~m.side
    cdef bint high = m.trump >= 0 and not m.flags & ANTI
    cdef bint ruffing = False
    if m.trumps & hand:
        mine = hand & m.trumps
        theirs = others & m.trumps
        longest = 0
        rounds = 13
        for seat in range(m.players):
            if seat != leader:
                k = length(m, seat, m.trump)
                longest = max(longest, k)
                rounds = min(rounds, k)
        tops = mine & from_up(highest64(theirs)) if theirs else mine
        k = popcount64(tops)
        if high:
            if k >= longest:
                count = popcount64(mine)
                k = longest
            else:
                count = k
                ruffing = True
        else:
            k = count = min(k, rounds)
        while k < popcount64(tops):
            tops &= tops - 1
        if tops:
            relevant = from_up(lowest64(tops))
    elif high:
        ruffing = (others & m.trumps) != 0
    if count >= need:
        m.relevant = relevant
        return count
    if ruffing:
        for seat in range(m.players):
            if seat != leader and mates >> seat & 1 and length(m, seat, m.trump):
                discards = min(discards, m.left - length(m, seat, m.trump))
    for suit in range(4):
        mine = hand & lane(suit)
        if suit == m.trump or not mine:
            continue
        theirs = others & lane(suit)
        tops = mine & from_up(highest64(theirs)) if theirs else mine
        if not tops and theirs:
            continue
        longest = 0
        rounds = 13
        for seat in range(m.players):
            if seat != leader:
                k = length(m, seat, suit)
                longest = max(longest, k)
                if ruffing and k < rounds and length(m, seat, m.trump):
                    if not mates >> seat & 1 or not m.flags & VOID_ANY:
                        rounds = k
        k = popcount64(tops)
        if k >= longest:
            k = min(rounds, popcount64(mine))
        else:
            k = min(k, rounds)
        k = min(k, discards)
        if k == 0:
            continue
        discards -= k if ruffing else 0
        count += k
        k = min(k, longest)
        while k < popcount64(tops):
            tops &= tops - 1
        if k:
            relevant |= from_up(lowest64(tops))
        if count >= need:
            break
    m.relevant = relevant
    return count


cdef bint bounded(Memory* m, int leader, uint32_t goal, bint* answer) noexcept nogil:
    """Whether sure tricks and those the leader can cash settle the question."""
    cdef int low = 0, high = m.left, need
    cdef uint32_t open
    cdef uint64_t ours, theirs, if_low, if_high
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
            if cash(m, leader, need) >= need:
                answer[0] = True
                return True
    else:
        need = m.left - lowest64(goal) + 1
        if cash(m, leader, need) >= need:
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
    cdef uint64_t odd, upper, meta_odd, meta_upper, differ
    cdef uint32_t known
    cdef Entry* entries
    cdef Entry* entry
    cdef int i
    goal &= (<uint32_t>2 << m.left) - 1
    if decided(goal, m.left, &answer):
        m.relevant = 0
        return answer
    if m.left == 1:
        return last_trick(m, leader, goal)
    if bounded(m, leader, goal, &answer):
        return answer
    entries = bucket(search, leader)
    prefetch(entries)
    odd = pext64(m.hands[1] | m.hands[3], m.all)
    upper = pext64(m.hands[2] | m.hands[3], m.all)
    meta_odd = odd | <uint64_t>(goal & 0xfff) << OWNERS
    meta_upper = upper | <uint64_t>(goal >> 12) << OWNERS
    for i in range(WAYS):
        entry = entries + i
        if entry.shape != m.shape or entry.matter >> OWNERS != m.tag:
            continue
        differ = ((entry.odd ^ odd) | (entry.upper ^ upper)) & entry.matter
        if differ << 12:
            continue
        if (entry.upper >> 61 & 3) != <uint64_t>leader:
            continue
        known = (entry.odd >> OWNERS) | (entry.upper >> OWNERS & 3) << 12
        answer = entry.upper >> 54 & 1
        if answer:
            if known & ~goal == 0:
                m.relevant = pdep64(entry.matter & (~<uint64_t>0 >> 12), m.all)
                return True
        elif goal & ~known == 0:
            m.relevant = pdep64(entry.matter & (~<uint64_t>0 >> 12), m.all)
            return False
    if tick(search):
        return False
    answer = from_card(search, 0, leader, 0, 0, leader, 0, goal)
    if search.aborted:
        return False
    entry = entries + (m.turn % WAYS)
    m.turn += 1
    m.relevant = upward(m.relevant)
    entry.shape = m.shape
    entry.odd = meta_odd
    entry.upper = meta_upper | <uint64_t>answer << 54 | <uint64_t>leader << 61
    entry.matter = pext64(m.relevant, m.all) | m.tag << OWNERS
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
        if led == m.trump and m.flags & ANTI:
            return owed or hand
    if not owed:
        return hand
    if m.flags & BEAT and owed & (owed - 1):
        if lowest64(owed) >> 4 == best >> 4:
            constraint[0] = from_up(best)
            winning = owed & from_up(best)
            return winning or owed
    return owed


cdef bint from_card(Search* search, int place, int seat, int led, int best, int winner, uint64_t trick,
                    uint32_t goal) noexcept nogil:
    """The same in the middle of a trick: `place` cards lie there, `best` of `winner` holds it, `seat` is to play."""
    cdef Memory* m = &search.memory
    cdef uint64_t hand = m.hands[seat], moves, mattered = 0, constraint = 0, run, top
    cdef uint64_t nibble
    cdef bint wants, answer
    cdef int card, i, j, n
    cdef int sorted[MAX_MOVES]
    cdef int next = seat + 1 if seat + 1 < m.players else 0
    if place == m.players:
        return next_trick(search, best, winner, trick, goal)
    moves = hand if place == 0 else allowed(m, seat, led, best, &constraint)
    wants = m.side >> seat & 1
    if moves & (moves - 1):
        n = sort_moves(m, place, seat, moves, led, best, winner, goal, sorted)
    else:
        n = 1
        sorted[0] = lowest64(moves)
    for i in range(n):
        card = sorted[i]
        if not moves & bit(card):
            continue
        # its run: the cards of the hand that nothing in play separates from it
        top = m.all & ~hand & lane(card >> 4)
        run = hand & lane(card >> 4)
        if top & ~from_up(card):
            run &= from_up(highest64(top & ~from_up(card)))
        if top & from_up(card):
            run &= ~from_up(lowest64(top & from_up(card)))
        moves &= ~run
        nibble = <uint64_t>1 << 4 * (4 * seat + (card >> 4))
        m.hands[seat] = hand ^ bit(card)
        m.shape -= nibble
        if place == 0:
            answer = from_card(search, 1, next, card >> 4, card, seat, bit(card), goal)
        elif takes(m, card, best):
            answer = from_card(search, place + 1, next, led, card, seat, trick | bit(card), goal)
        else:
            answer = from_card(search, place + 1, next, led, best, winner, trick | bit(card), goal)
        m.hands[seat] = hand
        m.shape += nibble
        if search.aborted:
            return False
        if answer == wants:
            m.relevant |= constraint
            j = m.left * W[43]
            m.history[seat][card] += j - (m.history[seat][card] * j >> 10)
            j = m.left * W[44]
            for n in range(i):
                m.history[seat][sorted[n]] -= j + (m.history[seat][sorted[n]] * j >> 10)
            m.killer[m.left][place] = card
            return wants
        m.relevant = upward(m.relevant)
        if m.relevant & run:
            m.relevant |= from_up(lowest64(run))    # all of them have failed, for that they stand side by side
        else:
            moves &= ~(lane(card >> 4) & ~m.relevant)   # ranks below did not matter: those cards fail likewise
        mattered |= m.relevant
    m.relevant = mattered | constraint
    return not wants


cdef bint next_trick(Search* search, int best, int winner, uint64_t trick, uint32_t goal) noexcept nogil:
    cdef Memory* m = &search.memory
    cdef bint answer
    cdef uint64_t suit = trick & lane(best >> 4)
    m.all ^= trick
    m.left -= 1
    answer = from_lead(search, winner, goal >> (m.side >> winner & 1))
    m.all ^= trick
    m.left += 1
    if suit & (suit - 1):
        m.relevant |= from_up(best)
    return answer


# ---- ordering ----

cdef int W[64]

def tune(weights):
    for i, w in enumerate(weights):
        W[i] = w

cdef struct Outlook:
    # How the trick may go on after the card to be played. A force is what a card is worth in this trick: 0 cannot win,
    # else the higher wins.
    int mine                # whether the side of the seat to move holds the trick
    int best                # force of the card that holds it
    int enemy_high          # the highest force an enemy who is yet to play can come to
    int enemy_low           # the highest force an enemy who is yet to play must come to, at the least
    int friend_high         # the highest force a friend who is yet to play can come to


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
    cdef int i, other = seat, low, high, mine = m.side >> seat & 1
    o.enemy_high = o.enemy_low = o.friend_high = 0
    for i in range(place + 1, m.players):
        other = other + 1 if other + 1 < m.players else 0
        forces(m, other, led, best, &low, &high)
        if (m.side >> other & 1) == mine:
            o.friend_high = max(o.friend_high, high)
        else:
            o.enemy_high = max(o.enemy_high, high)
            o.enemy_low = max(o.enemy_low, low)
    o.mine = 0
    o.best = 0
    if place:
        o.best = force(m, best, led, best)
        o.mine = (m.side >> winner & 1) == mine


cdef inline int rate_follow(Memory* m, Outlook* o, int card, int led, int best, bint eager) noexcept nogil:
    cdef int power = force(m, card, led, best), rank = card & 15
    cdef bint taking = power > o.best
    cdef int against = o.enemy_high if o.mine else max(o.enemy_high, o.best)
    cdef int ours = max(o.friend_high, o.best) if o.mine else o.friend_high
    if eager:
        if ours > against:
            return W[0] - W[1] * rank - (W[2] if taking else 0) - (W[21] if card >> 4 == m.trump else 0)
        if taking and power > o.enemy_high:
            return W[3] - W[4] * rank
        if taking:
            return W[5] - W[6] * rank - (W[21] if card >> 4 == m.trump else 0)
        return W[7] - W[8] * rank - (W[21] if card >> 4 == m.trump else 0)
    if not taking:
        return W[9] + W[10] * rank
    if o.enemy_low > power:
        return W[11] + W[12] * rank
    if o.enemy_high > power:
        return W[13] - W[14] * rank
    return W[15] + W[16] * rank


cdef inline int rate_lead(Memory* m, Outlook* o, int card, bint eager, int others) noexcept nogil:
    cdef int power = 16 + (card & 15), rank = card & 15
    if eager:
        if power > o.enemy_high:
            return W[24] + W[25] * rank - W[26] * others
        if o.friend_high > o.enemy_high:
            return W[27] - W[28] * rank
        return W[29] - W[30] * rank + W[31] * others
    if o.enemy_low > power:
        return W[32] + W[33] * rank
    if o.enemy_high > power:
        return W[34] - W[35] * rank - W[37] * others
    return W[36] - W[38] * rank


cdef inline bint eager_goal(Memory* m, uint32_t goal) noexcept nogil:
    """Whether it is tricks that the side lacks, rather than that it has too many: then everybody wants tricks."""
    cdef int low, high
    if goal & 1:
        return goal >> m.left & 1 and not goal & 2
    if goal >> m.left & 1:
        return True
    low = lowest64(goal)
    high = highest64(goal)
    return 8 * (low + high) >= W[40] * m.left


cdef int sort_moves(Memory* m, int place, int seat, uint64_t moves, int led, int best, int winner, uint32_t goal,
                    int* sorted) noexcept nogil:
    """The moves, one of each run, the most promising first."""
    cdef Outlook o
    cdef int n = 0, card, i, score, suit
    cdef int scores[MAX_MOVES]
    cdef uint64_t hand = m.hands[seat], others = m.all & ~hand, in_suit, below
    cdef bint eager = eager_goal(m, goal)
    if place:
        look_out(m, &o, place, seat, led, best, winner)
    while moves:
        suit = highest64(moves) >> 4
        in_suit = moves & lane(suit)
        moves ^= in_suit
        if place == 0:
            look_out(m, &o, 0, seat, suit, suit << 4, seat)
        while in_suit:
            card = highest64(in_suit)
            below = others & lane(suit) & ~from_up(card)
            if below:
                in_suit &= ~from_up(highest64(below))
            else:
                in_suit = 0
            if place:
                score = rate_follow(m, &o, card, led, best, eager)
            else:
                score = rate_lead(m, &o, card, eager, popcount64(others & lane(suit)))
            score += m.history[seat][card] * W[41] >> 6
            if m.killer[m.left][place] == card:
                score += W[42]
            i = n
            while i > 0 and scores[i - 1] < score:
                scores[i] = scores[i - 1]
                sorted[i] = sorted[i - 1]
                i -= 1
            scores[i] = score
            sorted[i] = card
            n += 1
    return n
