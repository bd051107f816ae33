# Velnio tuzinas for two players.
#
# The question is whether the pov's margin reaches the target. At the start of a trick, for hands, stock and leader
# given, it depends on the points alone, and it is monotone in them: more points of the pov never hurt him, more of the
# other never help him. (He can go on as if he had the fewer points; should the deal end sooner for that, it is because
# he has 13 himself, and the other has no more than he would have had.) So the answer is a flight of stairs: for each
# score b of the other, 0..12, the fewest points a of the pov that will do, `need[b]`. An entry of the table holds what
# is known of it: lower[b] <= need[b] <= upper[b]. A trick that the pov takes for p points lowers a child's stairs by p,
# one that the other takes shifts them by p; a choice of the pov is the least of its children's stairs, one of the other
# the most.
#
# 13 points end the deal, so need[b] is 13 where nothing less will do but 13 does (b <= 13 - target), and NEVER where
# not even that does. Stairs 13..15 stand for an opponent who has 13: the margin is a - 13 there.

cdef enum:
    NEVER = 15
    REPLIES = 6             # to a lead: each of three sets covers or tucks
    LEADS = 7
    UNBEATEN = 1 << 30
    ROUNDS = 0x6000e000             # tag(31): where a key has them
    TARGET = 0x6000e00000000000     # tag(31 << 6)


cdef struct Entry:
    uint64_t leader         # hand of the leader | rounds, side and target in the spare bits
    uint64_t other          # hand of the other | generation in the spare bits
    uint64_t lower          # packed stairs
    uint64_t upper


cdef struct Child:
    uint64_t leader         # key of its entry
    uint64_t other
    uint64_t lower          # its stairs as far as they are known
    uint64_t upper
    Entry* place            # where it may be in the table
    int score               # how good it looks for the pov
    int8_t side             # 1: the pov leads
    int8_t rounds           # of the stock
    int8_t mine             # points the pov got by the trick
    int8_t theirs           # points the other got


cdef struct Lead:
    Child[REPLIES] replies
    int count               # of replies
    int score               # how good it looks for its leader
    int answer              # a reply known to refute it, or -1


cdef struct Turn:           # what a trick of a size brings to whoever wins it, whatever the cards
    uint64_t winner_draws
    uint64_t loser_draws
    uint64_t tag            # of the key
    uint64_t lower
    uint64_t upper
    int score
    int8_t side
    int8_t rounds
    int8_t mine
    int8_t theirs
    int said                # whether the target is reached by the points alone: 1 it is, -1 it is not, 0 unknown


cdef void aim(Memory* memory, int target) noexcept nogil:
    """Stairs that hold whatever the hands: from the points alone, by the cards still to be played."""
    cdef int b, cards, low, high, most, last = GOAL + target if target < 0 else NEVER
    memory.target = target
    memory.aim = tag((target + GOAL) << 6)
    for cards in range(MAX_ROUNDS + HAND + 1):
        most = most_points(cards)
        memory.lower[cards] = memory.upper[cards] = 0
        for b in range(16):
            if b >= GOAL:
                low = high = last
            elif b > GOAL - target:
                low = high = NEVER
            else:
                low = min(max(b + target - most, 0), GOAL)
                high = min(max(min(b + most, GOAL) + target, 0), GOAL)
            memory.lower[cards] |= <uint64_t>low << (4 * b)
            memory.upper[cards] |= <uint64_t>high << (4 * b)
    memory.floor = 0
    for b in range(16):
        if b >= GOAL or b > GOAL - target:
            memory.floor |= <uint64_t>(last if b >= GOAL else NEVER) << (4 * b)
    for b in range(5):
        memory.fill[b] = 0
        for low in range(16 - b, 16):
            memory.fill[b] |= <uint64_t>last << (4 * low)


cdef inline Entry* bucket(Search* search, uint64_t leader, uint64_t other) noexcept nogil:
    cdef uint64_t hashed = leader * <uint64_t>0x9e3779b97f4a7c15 + other * <uint64_t>0xc2b2ae3d27d4eb4f
    hashed ^= hashed >> 32
    hashed *= <uint64_t>0xd6e8feb86659fd93
    return <Entry*>(search.table + ((hashed >> 32) & search.memory.mask) * 64)


cdef inline void tighten(Child* node, uint64_t stairs, bint upper) noexcept nogil:
    """Adds what was found out. NEVER, said of points below 13, must not reach beyond: with 13 the deal is over, and won
    if it can be; the upper stairs know that."""
    cdef Stairs known = stairs_unpack(node.upper), found = stairs_unpack(stairs)
    if upper:
        node.upper = stairs_pack(stairs_least(known, found))
    else:
        node.lower = stairs_pack(stairs_most(stairs_unpack(node.lower), stairs_least(known, found)))


cdef inline void recall(Search* search, Child* child) noexcept nogil:
    """Takes over what the table knows. What fails to reach one target fails for all higher ones, and what reaches it
    reaches all lower ones, so an entry for another target is half as good."""
    cdef Memory* memory = &search.memory
    cdef Entry* entry = child.place
    cdef uint64_t aim
    cdef int i
    for i in range(2):
        if (entry[i].leader ^ child.leader) & ~TARGET == 0 and entry[i].other == child.other:
            aim = entry[i].leader & TARGET
            if aim == memory.aim:
                child.lower = entry[i].lower
                child.upper = entry[i].upper
            elif aim < memory.aim:
                tighten(child, entry[i].lower, False)
            else:
                tighten(child, entry[i].upper, True)
            return


cdef inline void remember(Search* search, Child* child) noexcept nogil:
    """The first entry of a bucket goes to the position with more cards to come, the second to the latest."""
    cdef Entry* entry = child.place
    if not ((entry[0].leader ^ child.leader) & ~TARGET == 0 and entry[0].other == child.other):
        if (entry[0].other ^ child.other) & ~ALL_CARDS == 0 and (entry[0].leader & ROUNDS) > (child.leader & ROUNDS):
            entry += 1
    entry.leader = child.leader | search.memory.aim
    entry.other = child.other
    entry.lower = child.lower
    entry.upper = child.upper


cdef inline int stair(uint64_t stairs, int b) noexcept nogil:
    return stairs >> (4 * min(b, 15)) & 15


cdef inline int verdict(Child* child, int a, int b) noexcept nogil:
    """With the parent's points: 1 the target is reached, -1 it is not, 0 unknown."""
    a += child.mine
    b += child.theirs
    if a >= stair(child.upper, b):
        return 1
    return -1 if a < stair(child.lower, b) else 0


cdef inline void turn_out(Memory* memory, Turn* turn, Child* node, int cards, int size, bint covers) noexcept nogil:
    cdef int left = node.rounds
    turn.side = node.side ^ covers
    turn.winner_draws = memory.drawn[left][size][0]
    turn.loser_draws = memory.drawn[left][size][1]
    turn.rounds = left - min(left, size)
    turn.mine = PRIZE[size] if turn.side else 0
    turn.theirs = 0 if turn.side else PRIZE[size]
    turn.tag = memory.tags[turn.side][turn.rounds]
    turn.lower = memory.lower[cards - size]
    turn.upper = memory.upper[cards - size]
    turn.score = memory.drawn_worth[left][size] + weights[TO_LEAD] + weights[(COVERED if covers else KEPT) + size - 1]
    turn.said = 0


cdef inline void settle_turn(Turn* turn, int a, int b) noexcept nogil:
    a += turn.mine
    b += turn.theirs
    if a >= stair(turn.upper, b):
        turn.said = 1
    elif a < stair(turn.lower, b):
        turn.said = -1


cdef inline void reach(Search* search, Lead* lead, Turn* turn, uint64_t winner, uint64_t loser,
                       int worth) noexcept nogil:
    """One more child of a lead: what the two keep in hand given, and how much more that is worth to the winner."""
    cdef Child* child = &lead.replies[lead.count]
    lead.count += 1
    child.lower = turn.lower
    child.upper = turn.upper
    child.side = turn.side
    child.rounds = turn.rounds
    child.mine = turn.mine
    child.theirs = turn.theirs
    if turn.said != 0:
        return
    child.leader = winner | turn.winner_draws | turn.tag
    child.other = loser | turn.loser_draws | search.memory.label
    child.score = turn.score + worth if turn.side else -turn.score - worth
    child.place = bucket(search, child.leader, child.other)
    prefetch(child.place)


cdef inline void answer(Search* search, Lead* lead, Turn* kept, Turn* lost, int covers, int good, const int* sets,
                        int full, uint64_t leaders, int leaders_worth, Sets* reply) noexcept nogil:
    """All replies to a lead, whose leader keeps `leaders`. A turn that the points settle is the same whatever the
    cards: one child stands for all, and if it refutes the lead it stands alone."""
    cdef uint64_t others
    cdef int i, worth
    lead.count = 0
    if kept.said != 0:
        reach(search, lead, kept, 0, 0, 0)
        if kept.said != good:
            return
    if covers and lost.said != 0:
        reach(search, lead, lost, 0, 0, 0)
        if lost.said != good:
            lead.replies[0] = lead.replies[lead.count - 1]
            lead.count = 1
            return
    for i in range(HAND):
        if sets[i] > full:
            break
        others = reply.cards[full ^ sets[i]]
        worth = leaders_worth - reply.worth[full ^ sets[i]]
        if covers >> sets[i] & 1 and lost.said == 0:
            reach(search, lead, lost, others, leaders, -worth)
        if kept.said == 0:
            reach(search, lead, kept, leaders, others, worth)


cdef int expand(Search* search, Child* node, Lead* leads, bint settle, int a, int b) noexcept nogil:
    """All leads with all replies; those that the points alone settle, if that is wanted, without a key."""
    cdef Memory* memory = &search.memory
    cdef Sets led, reply
    cdef Turn[2][HAND + 1] turns
    cdef int n = divide(memory, node.leader & ALL_CARDS, &led)
    cdef int full = (1 << n) - 1, mask, size, covers, pairs, count = 0, good = 1 if node.side else -1
    divide(memory, node.other & ALL_CARDS, &reply)
    pairs = pairings(memory, &led, &reply, n)
    for size in range(1, n + 1):
        for covers in range(2):
            turn_out(memory, &turns[covers][size], node, n + node.rounds, size, covers)
            if settle:
                settle_turn(&turns[covers][size], a, b)
    for mask in range(1, full + 1):
        size = SIZES[mask]
        if size > 1 and not is_lead(led.cards[mask]):
            continue
        answer(search, &leads[count], &turns[0][size], &turns[1][size], COVERS[pairs][mask], good, SETS[size], full,
               led.cards[full ^ mask], led.worth[full ^ mask], &reply)
        count += 1
    return count


cdef inline Stairs seen(Memory* memory, uint64_t stairs, Child* child) noexcept nogil:
    """A child's stairs as they look from its parent."""
    cdef Stairs from_there = stairs_unpack(stairs)
    if child.side:
        return stairs_most(stairs_drop(from_there, child.mine), stairs_unpack(memory.floor))
    return stairs_most(stairs_shift(from_there, child.theirs), stairs_unpack(memory.fill[child.theirs]))


cdef uint64_t all_replies(Memory* memory, Lead* lead, bint pov_leads) noexcept nogil:
    """What a lead is good for at least, as every reply to it is met: stairs that suffice the pov when he leads, stairs
    below which he fails when the other leads."""
    cdef Stairs stairs = seen(memory, lead.replies[0].upper if pov_leads else lead.replies[0].lower, &lead.replies[0])
    cdef int j
    for j in range(1, lead.count):
        if pov_leads:
            stairs = stairs_most(stairs, seen(memory, lead.replies[j].upper, &lead.replies[j]))
        else:
            stairs = stairs_least(stairs, seen(memory, lead.replies[j].lower, &lead.replies[j]))
    return stairs_pack(stairs)


cdef uint64_t all_leads(Memory* memory, Lead* leads, int count, bint pov_leads) noexcept nogil:
    """What a node is good for at most, as every lead has its answer."""
    cdef Child* child = &leads[0].replies[leads[0].answer]
    cdef Stairs stairs = seen(memory, child.lower if pov_leads else child.upper, child)
    cdef int i
    for i in range(1, count):
        child = &leads[i].replies[leads[i].answer]
        if pov_leads:
            stairs = stairs_least(stairs, seen(memory, child.lower, child))
        else:
            stairs = stairs_most(stairs, seen(memory, child.upper, child))
    return stairs_pack(stairs)


cdef bint look_up(Search* search, Lead* lead, int a, int b, int good) noexcept nogil:
    """What the table knows of the replies to a lead: true when they are all met."""
    cdef Child* child
    cdef int j, said, worst = UNBEATEN, left = 0
    lead.answer = -1
    for j in range(lead.count):
        child = &lead.replies[j]
        said = verdict(child, a, b)
        if said == 0:
            recall(search, child)
            said = verdict(child, a, b)
        if said == -good:
            lead.answer = j
            return False
        if said == 0:
            worst = min(worst, good * child.score)
            left += 1
    lead.score = worst - weights[OPEN_REPLY] * left
    return left == 0


cdef bint holds(Search* search, Lead* lead, int a, int b, int good) noexcept nogil:
    """Searches the open replies to a lead, the most dangerous first: true when all are met."""
    cdef Child* child
    cdef int j, best
    while True:
        best = -1
        for j in range(lead.count):
            child = &lead.replies[j]
            if verdict(child, a, b) == 0 and (best < 0 or good * child.score < good * lead.replies[best].score):
                best = j
        if best < 0:
            return True
        child = &lead.replies[best]
        duel(search, child, a + child.mine, b + child.theirs)
        if search.aborted:
            return True
        INVARIANT(verdict(child, a, b) != 0)
        if verdict(child, a, b) == -good:
            lead.answer = best
            return False


cdef int winning_lead(Search* search, Lead* leads, int count, int a, int b, int good) noexcept nogil:
    """A lead by which the leader gets what he wants, or -1. All are looked up before one is searched."""
    cdef int i, best
    for i in range(count):
        if look_up(search, &leads[i], a, b, good):
            return i
    while True:
        best = -1
        for i in range(count):
            if leads[i].answer < 0 and (best < 0 or leads[i].score > leads[best].score):
                best = i
        if best < 0 or holds(search, &leads[best], a, b, good):
            return best


cdef void duel(Search* search, Child* node, int a, int b) noexcept nogil:
    """Settles whether the target is reached from a trick's start with these points, and stores what it found out."""
    cdef Lead[LEADS] leads
    cdef int count, winning
    if tick(search):
        return
    make_room(search)
    count = expand(search, node, leads, True, a, b)
    winning = winning_lead(search, leads, count, a, b, 1 if node.side else -1)
    if search.aborted:
        return
    if winning >= 0:
        tighten(node, all_replies(&search.memory, &leads[winning], node.side), node.side)
    else:
        tighten(node, all_leads(&search.memory, leads, count, node.side), not node.side)
    remember(search, node)


cdef void duel_start(Search* search, State* state, Child* node) noexcept nogil:
    """The start of a trick as a search sees it."""
    cdef Memory* memory = &search.memory
    node.side = state.leader == state.pov
    node.rounds = state.rounds
    node.mine = node.theirs = 0
    node.leader = state.hands[state.leader] | tag(node.rounds | node.side << 5)
    node.other = state.hands[1 - state.leader] | memory.label
    node.place = bucket(search, node.leader, node.other)
    node.lower = memory.lower[popcount64(state.hands[0]) + node.rounds]
    node.upper = memory.upper[popcount64(state.hands[0]) + node.rounds]


cdef bint duel_root(Search* search, State* state, int target) noexcept nogil:
    cdef Child node
    cdef int a = state.points[state.pov], b = state.points[1 - state.pov], said
    aim(&search.memory, target)
    duel_start(search, state, &node)
    recall(search, &node)
    said = verdict(&node, a, b)
    if said == 0:
        duel(search, &node, a, b)
        said = verdict(&node, a, b)
    return said > 0


cdef int duel_forecast(Search* search, State* state) noexcept nogil:
    """The margin when both play what looks best."""
    cdef Lead[LEADS] leads
    cdef Child node
    cdef Child* worst
    cdef Child* best
    cdef int a = state.points[state.pov], b = state.points[1 - state.pov]
    cdef int i, j, count, good
    duel_start(search, state, &node)
    while a < GOAL and b < GOAL and node.leader & ALL_CARDS:
        count = expand(search, &node, leads, False, a, b)
        good = 1 if node.side else -1
        best = NULL
        for i in range(count):
            worst = &leads[i].replies[0]
            for j in range(1, leads[i].count):
                if good * leads[i].replies[j].score < good * worst.score:
                    worst = &leads[i].replies[j]
            if best == NULL or good * worst.score > good * best.score:
                best = worst
        a += best.mine
        b += best.theirs
        node = best[0]
    return min(a, GOAL) - min(b, GOAL)
