# Two players. "Is the value at least b?" is a race: each side has a goal in points, and whoever reaches his first has won
# the test. To cover an eye takes 66 points, to lose but one takes 33 (whatever the other side then does), to lose but
# two takes any trick; and who wants to cover two must come in before the other has 33, for three before he has a trick.
# So a test is a position and two needs, the points still missing. A need of 0 or less is met by the next trick taken: it
# is how "any trick" is said, and how pending marriage points are counted in advance. If all cards are played and
# nobody has met his need, the taker of the last trick has won, except that a closer who had to reach 66 has not.
#
# More points never hurt (a deal ends at once, and the loser's points only grow), so a proof holds for smaller needs of
# the one who won and larger ones of the other; how much further it holds is worked out on the way up.

# Results are of the side on lead. Won: so it is for every need of the leader up to `lead` and of the other from `other`
# up. Lost: for every need of the leader from `lead` up and of the other up to `other`.
ctypedef struct Result:
    bint won
    int lead
    int other

# A trick is about to be led.
ctypedef struct Race:
    uint32_t lead, other    # hands, of the side on lead and of the other; trumps in lane 0
    int lead_need, other_need
    int left                # cards in the stock, 0 once it is closed
    int target              # eyes that win the test for the side on lead, as long as the stock is open
    int marks               # see below

# A card that may be answered to a lead, and what comes of it.
ctypedef struct Reply:
    Race next
    int points              # of the trick
    bint kept               # the leader takes it
    int score               # how good it looks for the one who plays it

ctypedef struct Lead:
    Reply replies[6]        # those not yet known
    int count               # how many there are
    int card
    int bonus               # marriage points announced with it
    int score               # how good it looks
    Result holds            # how far the answers already known to be harmless are that

# The table is exact: the two hands and the tag (see tag_of) are all that a race depends on beside the needs.
ctypedef struct Entry:
    uint64_t hands          # of the side on lead | of the other << 32
    uint32_t tag
    int8_t won_lead, won_other      # the Result of a proof that the side on lead wins,
    int8_t lost_lead, lost_other    # and that it loses

cdef enum:
    ANY_NEED = 127          # no need is as high, and none as low as its negative

    # What a race depends on beside the hands and the needs; the first ones change hands with the lead.
    LEAD_HAS_TRICK = 1
    OTHER_HAS_TRICK = 2
    LEAD_MUST_REACH = 4     # the one on lead has closed, and the last trick does not save him
    OTHER_MUST_REACH = 8
    SWAPPED = 16            # the lowest trump lies in the indicator's place
    BEATING = 32            # one must beat (SCHNAPSEN)
    WITH_KING = 64          # a marriage may be led with the king too (EITHER)
    PLAYED_OUT = 128        # nothing is drawn any more: the stock is exhausted or closed
    LEFT = 1 << 8           # 3 bits: half the cards of the stock
    TARGET = 1 << 11        # 3 bits: target + 2 of the side on lead, which says what a closing is good for
    STAMP = 1 << 14         # upwards: Memory.stamp


cdef inline Result result(bint won, int lead, int other) noexcept nogil:
    cdef Result r
    r.won = won
    r.lead = lead
    r.other = other
    return r


cdef inline int turned(int marks) noexcept nogil:
    """The marks as the other side sees them."""
    return (marks & ~15) | (marks & 5) << 1 | (marks & 10) >> 1


# ---- setting up ----

cdef inline uint32_t trumps_first(uint32_t cards, int trump) noexcept nogil:
    """A holding with the trump suit and suit 0 changed over."""
    cdef uint32_t change = (cards ^ cards >> (8 * trump)) & 0x3f
    return cards ^ change ^ change << (8 * trump) if trump else cards


cdef inline int trump_first(int card, int trump) noexcept nogil:
    return card ^ trump * 8 if card >> 3 == trump or card >> 3 == 0 else card


cdef void adopt(Search* search, State* root) noexcept nogil:
    """Makes the root's stock the one the search draws from, and keeps the entries if it is the same one, or its rest."""
    cdef Memory* memory = &search.memory
    cdef int left, size = root.stock_size - root.next
    cdef int low = lowest_trump(root) & 7
    cdef int8_t[13] stock
    cdef bint same
    if not is_open(root):
        return
    for left in range(1, size + 1):
        stock[left] = trump_first(root.stock[root.stock_size - left], root.trump)
    same = (size <= memory.stock_size and memory.low == low and memory.closing == root.closing
            and memory.penalty == root.penalty and memory.flags == root.flags)
    for left in range(1, size + 1):
        same = same and (stock[left] == memory.stock[left] or (left == 1 and stock[1] == low))
    if same:
        return
    for left in range(1, size + 1):
        memory.stock[left] = stock[left]
    memory.stock_size = size
    memory.low = low
    memory.closing = root.closing
    memory.penalty = root.penalty
    memory.flags = root.flags
    memory.stamp += 1
    if memory.stamp * STAMP == 0:
        memset(search.table, 0, search.table_bytes)
        memory.stamp = 1


cdef inline int opposite(int target) noexcept nogil:
    """What the other side must reach to prevent it: 0 eyes are not to be had."""
    return 1 if target == 1 else 1 - target


cdef inline int goal(int target) noexcept nogil:
    """In points."""
    return GAME if target > 0 else HALF if target == -1 else 0


cdef inline uint32_t tag_of(Search* search, const Race* node) noexcept nogil:
    if node.marks & PLAYED_OUT:
        return node.marks
    return node.marks | (node.left >> 1) * LEFT | (node.target + 2) * TARGET | search.memory.stamp * STAMP


cdef bint race_reaches(Search* search, State* state, int bound) noexcept nogil:
    """value >= bound"""
    cdef int target = bound if bound != 0 else 1
    cdef bint answer
    if actor(state) != state.pov:
        target = opposite(target)
    answer = mover_reaches(search, state, target) == (actor(state) == state.pov)
    if bound == 0 or bound == 1:
        search.proved = 1 if answer else -1
    return answer


cdef bint mover_reaches(Search* search, State* state, int target) noexcept nogil:
    """Whether the one to move has a value of at least `target`, which is not 0."""
    cdef int me = actor(state), it = 1 - me
    cdef int my_goal = goal(target), its_goal = goal(opposite(target))
    cdef int marks = PLAYED_OUT
    cdef int my_need, its_need
    if state.flags & SCHNAPSEN:
        marks |= BEATING
    if state.flags & EITHER:
        marks |= WITH_KING
    if state.won[me]:
        marks |= LEAD_HAS_TRICK
    if state.won[it]:
        marks |= OTHER_HAS_TRICK
    if is_open(state):
        marks ^= PLAYED_OUT
        if trump_first(state.stock[state.stock_size - 1], state.trump) == (lowest_trump(state) & 7):
            marks |= SWAPPED
    elif state.closed_by == me:
        if -closing_penalty(state) >= target:
            return True
        if winning_eyes(state, me) < target:
            return False
        my_goal = GAME
        its_goal = closed_goal(state, its_goal)
        if state.closing == REACH_66:
            marks |= LEAD_MUST_REACH
    elif state.closed_by == it:
        if -closing_penalty(state) >= opposite(target):
            return False
        if winning_eyes(state, it) < opposite(target):
            return True
        its_goal = GAME
        my_goal = closed_goal(state, my_goal)
        if state.closing == REACH_66:
            marks |= OTHER_MUST_REACH
    my_need = my_goal - state.points[me] - state.pending[me]
    its_need = its_goal - state.points[it] - state.pending[it]
    if my_need <= 0 and state.won[me]:
        return True
    if its_need <= 0 and state.won[it]:
        return False
    if state.closed_by != NOBODY and state.closing == ALL_TRICKS:
        if state.closed_by == me:
            its_need = 0
        else:
            my_need = 0
    return race(search, state, target, my_need, its_need, marks)


cdef inline int closed_goal(State* state, int target_goal) noexcept nogil:
    """The goal of a closer's opponent: Schnapsen scores by his points at the closing, so that only 66 help him."""
    return GAME if state.flags & SCHNAPSEN else target_goal


cdef bint race(Search* search, State* state, int target, int my_need, int its_need, int marks) noexcept nogil:
    """Whether the one to move wins the race."""
    cdef int me = actor(state)
    cdef Race node
    cdef Lead lead
    cdef int i
    node.left = 0 if marks & PLAYED_OUT else state.stock_size - state.next
    node.lead = trumps_first(state.hands[me], state.trump)
    node.other = trumps_first(state.hands[1 - me], state.trump)
    node.lead_need = my_need
    node.other_need = its_need
    node.target = target
    node.marks = marks
    if state.played == 0:
        return on_lead(search, &node).won
    node = other_side(&node)
    lead.card = trump_first(state.trick[0], state.trump)
    lead.bonus = 0
    node.lead |= bit(lead.card)
    answer_all(search, &node, &lead)
    if lead.count < 0:
        return True
    for i in range(lead.count):
        if not replied(search, &lead, &lead.replies[i]).won:
            return True
        if search.aborted:
            break
    return False


cdef inline Race other_side(const Race* node) noexcept nogil:
    cdef Race other
    other.lead = node.other
    other.other = node.lead
    other.lead_need = node.other_need
    other.other_need = node.lead_need
    other.left = node.left
    other.target = opposite(node.target)
    other.marks = turned(node.marks)
    return other


# ---- the table ----

cdef inline Entry* bucket_of(Search* search, const Race* node, uint32_t tag) noexcept nogil:
    """Four entries in a cache line."""
    cdef uint64_t mixed = mix64((node.lead | <uint64_t>node.other << 32) ^ tag * <uint64_t>0x9e3779b97f4a7c15)
    return <Entry*>(search.table + (mixed & (search.table_bytes - 64) & ~<uint64_t>63))


cdef bint probe(Search* search, const Race* node, Result* found) noexcept nogil:
    """Whether the table settles a race."""
    cdef uint32_t tag = tag_of(search, node)
    cdef Entry* entry = bucket_of(search, node, tag)
    cdef uint64_t hands = node.lead | <uint64_t>node.other << 32
    cdef int i
    for i in range(4):
        if entry[i].hands == hands and entry[i].tag == tag:
            if node.lead_need <= entry[i].won_lead and node.other_need >= entry[i].won_other:
                found[0] = result(True, entry[i].won_lead, entry[i].won_other)
                return True
            if node.lead_need >= entry[i].lost_lead and node.other_need <= entry[i].lost_other:
                found[0] = result(False, entry[i].lost_lead, entry[i].lost_other)
                return True
            return False
    return False


cdef inline int8_t bounded(int need) noexcept nogil:
    return min(max(need, -ANY_NEED), ANY_NEED)


cdef void store(Search* search, const Race* node, Result r) noexcept nogil:
    cdef uint32_t tag = tag_of(search, node)
    cdef Entry* bucket = bucket_of(search, node, tag)
    cdef uint64_t hands = node.lead | <uint64_t>node.other << 32
    cdef Entry* entry = NULL
    cdef int i
    for i in range(4):
        if bucket[i].hands == hands and bucket[i].tag == tag:
            entry = &bucket[i]
            break
    if entry == NULL:
        for i in range(3, 0, -1):       # the youngest first, the eldest drops out
            bucket[i] = bucket[i - 1]
        entry = bucket
        entry.hands = hands
        entry.tag = tag
        entry.won_lead = entry.lost_other = -ANY_NEED - 1
        entry.won_other = entry.lost_lead = ANY_NEED
    if r.won:
        entry.won_lead = bounded(r.lead)
        entry.won_other = bounded(r.other)
    else:
        entry.lost_lead = bounded(r.lead)
        entry.lost_other = bounded(r.other)


# ---- a trick ----

cdef inline void draw(Search* search, Race* next) noexcept nogil:
    """The one who took the trick, now on lead, draws first."""
    cdef Memory* memory = &search.memory
    next.lead |= bit(memory.stock[next.left])
    next.other |= bit(memory.low if next.left == 2 and next.marks & SWAPPED else memory.stock[next.left - 1])
    next.left -= 2
    if next.left == 0:
        next.marks = (next.marks | PLAYED_OUT) & ~SWAPPED


cdef inline bint answered(Search* search, const Race* node, const Lead* lead, int card, Reply* reply, Result* known) noexcept nogil:
    """Plays out a trick; true if that settles the race, with the result as the leader of the trick sees it."""
    cdef Race* next = &reply.next
    reply.points = POINTS[lead.card & 7] + POINTS[card & 7]
    reply.kept = not beats(card, lead.card, 0)
    if reply.kept:
        if node.lead_need - lead.bonus <= reply.points:
            known[0] = result(True, reply.points + lead.bonus, -ANY_NEED)
            return True
        next[0] = node[0]
        next.lead ^= bit(lead.card)
        next.other ^= bit(card)
        next.lead_need -= lead.bonus + reply.points
    else:
        if node.other_need <= reply.points:
            known[0] = result(False, -ANY_NEED, reply.points)
            return True
        next[0] = other_side(node)
        next.lead ^= bit(card)
        next.other ^= bit(lead.card)
        next.lead_need -= reply.points
        next.other_need -= lead.bonus
    next.marks |= LEAD_HAS_TRICK
    if next.left > 0:
        draw(search, next)
    return False


cdef inline Result told(const Lead* lead, const Reply* reply, Result r) noexcept nogil:
    """What a result after the trick says before it, to the one who led to it."""
    if reply.kept:
        r.lead = (r.lead if r.won else max(r.lead, 1)) + reply.points + lead.bonus
        return r
    if r.won:
        return result(False, r.other + lead.bonus, r.lead + reply.points)
    return result(True, r.other + lead.bonus, max(r.lead, 1) + reply.points)


cdef inline Result replied(Search* search, const Lead* lead, const Reply* reply) noexcept nogil:
    return told(lead, reply, on_lead(search, &reply.next))


cdef inline void also(Result* all, Result r) noexcept nogil:
    """Narrows a result to where another one of the same kind holds too."""
    if all.won:
        all.lead = min(all.lead, r.lead)
        all.other = max(all.other, r.other)
    else:
        all.lead = max(all.lead, r.lead)
        all.other = min(all.other, r.other)


cdef void answer_all(Search* search, const Race* node, Lead* lead) noexcept nogil:
    """Lists the answers to a lead. Those that bounds or the table know are left out; if one of them beats the lead, count
    is -1 and `holds` says how far."""
    cdef uint32_t cards = node.other
    cdef Result known
    cdef Reply* reply
    cdef int card
    lead.count = 0
    lead.holds = result(True, ANY_NEED, -ANY_NEED)
    if node.marks & PLAYED_OUT:
        cards = owed(cards, lead.card, lead.card, 0, node.marks >> 4 & SCHNAPSEN)
    while cards:
        card = lowest64(cards)
        cards &= cards - 1
        reply = &lead.replies[lead.count]
        if not answered(search, node, lead, card, reply, &known):
            if not probe(search, &reply.next, &known):
                lead.count += 1
                continue
            known = told(lead, reply, known)
        if not known.won:
            lead.count = -1
            lead.holds = known
            return
        also(&lead.holds, known)


# ---- the search ----

cdef inline int announced(const Race* node, int card) noexcept nogil:
    """Marriage points that come with a lead: who may announce has no reason not to."""
    if suit_of(node.lead, card >> 3) & KING_QUEEN != KING_QUEEN:
        return 0
    if card & 7 == 2 or (card & 7 == 3 and node.marks & WITH_KING):
        return 20 if card >> 3 else 40
    return 0


cdef inline int marriage(const Race* node) noexcept nogil:
    """The dearest marriage in the leader's hand."""
    cdef uint32_t pairs = node.lead & node.lead >> 1 & 0x04040404
    return 0 if not pairs else 40 if pairs & 4 else 20


cdef Result close_stock(Search* search, const Race* node) noexcept nogil:
    """The leader closes."""
    cdef Memory* memory = &search.memory
    cdef int eyes = memory.penalty if memory.penalty else 2 if node.marks & OTHER_HAS_TRICK else 3
    cdef int rise = GAME - goal(node.target)
    cdef int other_rise = GAME - goal(opposite(node.target)) if memory.flags & SCHNAPSEN else 0
    cdef Race closed = node[0]
    cdef Result r
    if -eyes >= node.target:
        return result(True, ANY_NEED, -ANY_NEED)
    closed.left = 0
    closed.marks = (node.marks | PLAYED_OUT) & ~SWAPPED
    closed.lead_need += rise
    if memory.closing == ALL_TRICKS:
        closed.other_need = 0
        r = on_lead(search, &closed)
        r.other = -ANY_NEED if r.won else ANY_NEED
    else:
        closed.marks |= LEAD_MUST_REACH
        closed.other_need += other_rise
        r = on_lead(search, &closed)
        r.other -= other_rise
    r.lead -= rise
    return r


cdef Result exchange_first(Search* search, const Race* node) noexcept nogil:
    """The leader swaps his lowest trump for the indicator."""
    cdef Memory* memory = &search.memory
    cdef Race swapped = node[0]
    swapped.lead ^= bit(memory.low) | bit(memory.stock[1])
    swapped.marks |= SWAPPED
    return on_lead(search, &swapped)


cdef Result on_lead(Search* search, const Race* node) noexcept nogil:
    cdef Result r
    cdef int bonus = marriage(node)
    if node.marks & LEAD_HAS_TRICK and node.lead_need <= bonus:
        return result(True, bonus, -ANY_NEED)
    if node.lead == 0:
        return result(False, -ANY_NEED, ANY_NEED) if node.marks & LEAD_MUST_REACH else result(True, ANY_NEED, -ANY_NEED)
    if probe(search, node, &r):
        return r
    if tick(search):
        return result(False, ANY_NEED, -ANY_NEED)
    r = try_all(search, node)
    if search.aborted:
        return r
    if not r.won and node.marks & LEAD_HAS_TRICK:
        r.lead = max(r.lead, bonus + 1)
    store(search, node, r)
    return r


cdef Result try_all(Search* search, const Race* node) noexcept nogil:
    """Wins with the first option that does, or fails with all."""
    cdef Memory* memory = &search.memory
    cdef Lead leads[6]
    cdef Result lost = result(False, -ANY_NEED, ANY_NEED)
    cdef Result r
    cdef uint32_t cards
    cdef int i, n = 0
    if not node.marks & PLAYED_OUT:
        if memory.closing != NO_CLOSING:
            r = close_stock(search, node)
            if r.won or search.aborted:
                return r
            also(&lost, r)
        if node.lead >> memory.low & 1 and (node.marks & LEAD_HAS_TRICK or memory.flags & FREE_EXCHANGE):
            r = exchange_first(search, node)
            if r.won or search.aborted:
                return r
            also(&lost, r)
    cards = node.lead
    while cards:
        leads[n].card = lowest64(cards)
        leads[n].bonus = announced(node, leads[n].card)
        cards &= cards - 1
        answer_all(search, node, &leads[n])
        if leads[n].count == 0:
            return leads[n].holds
        if leads[n].count < 0:
            also(&lost, leads[n].holds)
        else:
            n += 1
    for i in range(n):
        r = try_lead(search, &leads[i])
        if r.won or search.aborted:
            return r
        also(&lost, r)
    return lost


cdef Result try_lead(Search* search, Lead* lead) noexcept nogil:
    cdef Result r
    cdef int i
    for i in range(lead.count):
        r = replied(search, lead, &lead.replies[i])
        if not r.won or search.aborted:
            return r
        also(&lead.holds, r)
    return lead.holds
