# Velnio tuzinas for three and more: the pov against all others together.
#
# The points of a position are one word, a byte a seat: what a seat has, but for the pov what it lacks of 15. So every
# byte is better for the others the larger it is, and by the argument of the two-player search the answer is monotone in
# each. A *box* is such a word: a good box says that the target is reached from all points that are nowhere larger, a
# bad one that it is not from all points nowhere smaller. Proofs return the widest box they hold for, and the table
# keeps a few.

cdef enum:
    EACH = 0x0101010101010101
    ANYTHING = 0x0f0f0f0f0f0f0f0f   # a good box that asks nothing; 0 is the bad one
    SPOTS = 4               # boxes in an entry: two good ones, two bad ones
    OPEN = 2                # neither known to be reached nor not to be
    DONE = -(1 << 30)       # score of a move that needs no more attention


cdef struct Party:          # the start of a trick
    uint64_t[8] hands
    uint64_t points         # as said above
    int8_t leader
    int8_t rounds
    int8_t depth            # tricks to the horizon, 0: there is none


cdef struct Spot:           # entry of the table
    uint64_t[3] hands       # 18 bits a hand, three hands a word: exact
    uint64_t rest           # generation, leader, rounds, depth
    uint64_t[SPOTS] boxes   # the target stands in the upper halves of the two lowest bytes


cdef struct Round:          # a trick under way
    Party* start
    Sets[8] sets
    int[8] chosen           # the set each seat plays
    int size
    int full                # mask of all cards of a hand
    # Before the horizon only points count, so all that matters of the trick so far is how many have played, who holds
    # it and with which set: what came of each such case, OPEN where it is not known, and the box.
    int8_t[8][8][8] said
    uint64_t[8][8][8] boxes


cdef inline uint64_t not_less(uint64_t a, uint64_t b) noexcept nogil:
    """The top bit of each byte in which a >= b; bytes are below 128."""
    return ((a | <uint64_t>0x8080808080808080) - b) & <uint64_t>0x8080808080808080


cdef inline bint nowhere_less(uint64_t a, uint64_t b) noexcept nogil:
    return not_less(a, b) == <uint64_t>0x8080808080808080


cdef inline uint64_t bytewise_most(uint64_t a, uint64_t b) noexcept nogil:
    cdef uint64_t top = not_less(a, b)
    cdef uint64_t from_a = top | (top - (top >> 7))
    return (a & from_a) | (b & ~from_a)


cdef inline uint64_t bytewise_least(uint64_t a, uint64_t b) noexcept nogil:
    return a ^ b ^ bytewise_most(a, b)


cdef inline int byte_of(uint64_t word, int seat) noexcept nogil:
    return word >> (8 * seat) & 255


cdef inline uint64_t with_byte(uint64_t word, int seat, int byte) noexcept nogil:
    return (word & ~(<uint64_t>255 << (8 * seat))) | <uint64_t>byte << (8 * seat)


cdef inline uint64_t with_prize(Memory* memory, uint64_t points, int seat, int size) noexcept nogil:
    """Points after a trick, counted up to 13."""
    cdef int byte = byte_of(points, seat)
    if seat == memory.pov:
        return with_byte(points, seat, max(byte - PRIZE[size], 15 - GOAL))
    return with_byte(points, seat, min(byte + PRIZE[size], GOAL))


cdef inline uint64_t before_prize(Memory* memory, uint64_t box, int seat, int size) noexcept nogil:
    """A child's box as it looks before the trick. What asks nothing goes on asking nothing: 15 of another seat in a
    good box, 0 in a bad one."""
    cdef int byte = byte_of(box, seat)
    if seat == memory.pov:
        return box if byte == 0 else with_byte(box, seat, min(byte + PRIZE[size], 15))
    return box if byte == 15 else with_byte(box, seat, max(byte - PRIZE[size], 0))


cdef int by_points(Memory* memory, uint64_t points, int most, uint64_t* box) noexcept nogil:
    """Whether the points alone decide, when nobody can take more than `most` any more: 1, 0 or OPEN. `most` is 0 at the
    end of the deal, and with 13 points of anybody it is over. The box holds, by monotonicity, even where its points
    would not end the deal."""
    cdef int seat, best = -1, who = 0, a = 15 - byte_of(points, memory.pov), target = memory.target
    for seat in range(memory.players):
        if seat != memory.pov and byte_of(points, seat) > best:
            best = byte_of(points, seat)
            who = seat
    if a >= GOAL or best >= GOAL:
        most = 0
    if a - GOAL >= target:
        box[0] = with_byte(ANYTHING, memory.pov, 15 - max(GOAL + target, 0))
        return 1
    if a - (best + most) >= target:
        box[0] = with_byte(<uint64_t>EACH * <uint64_t>min(a - target - most, GOAL - 1), memory.pov, 15 - a)
        return 1
    if GOAL - best < target:
        box[0] = with_byte(0, who, GOAL + 1 - target)
        return 0
    if a + most - best < target:
        box[0] = with_byte(with_byte(0, who, best), memory.pov, 15 - min(best + target - 1 - most, GOAL - 1))
        return 0
    return OPEN


# ---- table ----

cdef inline uint64_t folded(uint64_t hand) noexcept nogil:
    """Up to three cards in 18 bits, each plus one."""
    cdef uint64_t fold = 0
    while hand:
        fold = fold << 6 | (lowest64(hand) + 1)
        hand &= hand - 1
    return fold


cdef inline Spot* spot_key(Search* search, Party* now, Spot* key) noexcept nogil:
    """Fills in the key, and says where it belongs."""
    cdef int seat
    cdef uint64_t hashed
    key.hands[0] = key.hands[1] = key.hands[2] = 0
    for seat in range(search.memory.players):
        key.hands[seat // 3] |= folded(now.hands[seat]) << (18 * (seat % 3))
    key.rest = (<uint64_t>search.memory.generation << 32 | <uint64_t>search.memory.pov << 24 | now.leader << 16
                | now.rounds << 8 | now.depth)
    hashed = mix64(key.hands[0] ^ mix64(key.hands[1] ^ mix64(key.hands[2] ^ key.rest)))
    return <Spot*>(search.table + (hashed & search.memory.mask) * 64)


cdef inline bint same_spot(Spot* a, Spot* b) noexcept nogil:
    return (a.hands[0] == b.hands[0] and a.rest == b.rest and a.hands[1] == b.hands[1] and a.hands[2] == b.hands[2])


cdef inline uint64_t signed_box(int target, uint64_t box) noexcept nogil:
    """A box with its target, and a mark that it is there."""
    cdef uint64_t number = target + GOAL + 1
    return box | (number & 7) << 4 | (number >> 3) << 12


cdef inline int box_target(uint64_t box) noexcept nogil:
    return <int>((box >> 4 & 7) | (box >> 12 & 7) << 3) - GOAL - 1


cdef int known(Search* search, Party* now, uint64_t* box) noexcept nogil:
    """What the table says: 1, 0 or OPEN."""
    cdef Spot key
    cdef Spot* spot = spot_key(search, now, &key)
    cdef uint64_t found
    cdef int i
    if not same_spot(spot, &key):
        return OPEN
    for i in range(SPOTS):
        if not spot.boxes[i]:
            continue
        found = spot.boxes[i] & <uint64_t>ANYTHING
        if i < 2 and box_target(spot.boxes[i]) >= search.memory.target and nowhere_less(found, now.points):
            box[0] = found
            return 1
        if i >= 2 and box_target(spot.boxes[i]) <= search.memory.target and nowhere_less(now.points, found):
            box[0] = found
            return 0
    return OPEN


cdef void keep(Search* search, Party* now, bint good, uint64_t box) noexcept nogil:
    """The latest boxes stay."""
    cdef Spot key
    cdef Spot* spot = spot_key(search, now, &key)
    cdef int first = 0 if good else 2
    if not same_spot(spot, &key):
        memset(spot, 0, sizeof(Spot))
        memcpy(spot.hands, key.hands, sizeof(key.hands))
        spot.rest = key.rest
    spot.boxes[first + 1] = spot.boxes[first]
    spot.boxes[first] = signed_box(search.memory.target, box)


# ---- search ----

cdef void finish_trick(Search* search, Round* trick, int holder, Party* after) noexcept nogil:
    """The position after a trick: points, and cards drawn."""
    cdef Memory* memory = &search.memory
    cdef Party* before = trick.start
    cdef int seat, place
    for seat in range(memory.players):
        place = (seat - holder + memory.players) % memory.players
        after.hands[seat] = (trick.sets[seat].cards[trick.full ^ trick.chosen[seat]]
                             | memory.drawn[before.rounds][trick.size][place])
    after.points = with_prize(memory, before.points, holder, trick.size)
    after.leader = holder
    after.rounds = before.rounds - min(<int>before.rounds, trick.size)
    after.depth = before.depth - 1 if before.depth > 1 else before.depth


cdef int at_once(Search* search, Round* trick, Party* after, uint64_t* box) noexcept nogil:
    """What is known of a position without a search: from its points, the horizon, or the table."""
    cdef int cards = popcount64(after.hands[0]) + after.rounds
    cdef int said = by_points(&search.memory, after.points, 0 if trick.start.depth == 1 else most_points(cards), box)
    if said != OPEN:
        return said
    return known(search, after, box)


cdef int look_of(Search* search, Party* after) noexcept nogil:
    """How good a position looks for the pov, for ordering."""
    cdef Memory* memory = &search.memory
    cdef int seat, score = 0, best = 0
    for seat in range(memory.players):
        if seat == memory.pov:
            score += (memory.players - 1) * total_worth(memory, after.hands[seat])
        else:
            score -= total_worth(memory, after.hands[seat])
            best = max(best, byte_of(after.points, seat))
    score += 60 * ((15 - byte_of(after.points, memory.pov)) - best)
    return score + (20 if after.leader == memory.pov else -20)


cdef inline bint points_only(Round* trick) noexcept nogil:
    """Before the horizon it is all one which cards are tucked, and which cover as the last ones."""
    return trick.start.depth == 1


cdef inline void open_round(Round* trick, Party* start) noexcept nogil:
    trick.start = start
    if points_only(trick):
        memset(trick.said, OPEN, sizeof(trick.said))


cdef bint last_reply(Search* search, Round* trick, int seat, int holder, int top, uint64_t* box) noexcept nogil:
    """The last seat to play: all that can come of it is looked up before anything is searched."""
    cdef Party[REPLIES] after
    cdef int[REPLIES] score
    cdef int[REPLIES] taker
    cdef uint64_t[REPLIES] boxes
    cdef bint mine = seat == search.memory.pov
    cdef int covers, answer, i, best, said, count = 0, tried = 0
    covers = COVERS[pairings(&search.memory, &trick.sets[holder], &trick.sets[seat], popcount64(trick.full))][top]
    for answer in range(1, trick.full + 1):
        if SIZES[answer] != trick.size:
            continue
        trick.chosen[seat] = answer
        for i in range(2):
            if (i == 0 and not covers >> answer & 1) or (tried & 1 << i and points_only(trick)):
                continue
            tried |= 1 << i
            taker[count] = holder if i else seat
            finish_trick(search, trick, taker[count], &after[count])
            said = at_once(search, trick, &after[count], &boxes[count])
            if said == mine:
                box[0] = before_prize(&search.memory, boxes[count], taker[count], trick.size)
                return mine
            score[count] = DONE
            if said == OPEN:
                score[count] = look_of(search, &after[count]) * (1 if mine else -1)
            count += 1
    while True:
        best = -1
        for i in range(count):
            if score[i] != DONE and (best < 0 or score[i] > score[best]):
                best = i
        if best < 0:
            break
        score[best] = DONE
        said = gather(search, &after[best], &boxes[best])
        if search.aborted:
            return False
        if said == mine:
            box[0] = before_prize(&search.memory, boxes[best], taker[best], trick.size)
            return mine
    for i in range(count):
        box[0] = join(mine, i == 0, box[0], before_prize(&search.memory, boxes[i], taker[i], trick.size))
    return not mine


cdef inline uint64_t join(bint mine, bint first, uint64_t so_far, uint64_t box) noexcept nogil:
    """The box for which all of several moves fail him who has the choice."""
    if first:
        return box
    return bytewise_most(so_far, box) if mine else bytewise_least(so_far, box)


cdef bint reply(Search* search, Round* trick, int played, int holder, int top, uint64_t* box) noexcept nogil:
    """Whether the target is reached, a seat being to reply to what `holder` has on top; and the box."""
    cdef int said
    if not points_only(trick):
        return searched_reply(search, trick, played, holder, top, box)
    if trick.said[played][holder][top] == OPEN:
        said = searched_reply(search, trick, played, holder, top, &trick.boxes[played][holder][top])
        if search.aborted:
            return False
        trick.said[played][holder][top] = said
    box[0] = trick.boxes[played][holder][top]
    return trick.said[played][holder][top]


cdef bint searched_reply(Search* search, Round* trick, int played, int holder, int top, uint64_t* box) noexcept nogil:
    cdef Memory* memory = &search.memory
    cdef int seat = (trick.start.leader + played) % memory.players
    cdef bint mine = seat == memory.pov, friendly = (holder == memory.pov) == mine, first = True
    cdef int covers, answer, i, best, worth, kind
    cdef uint64_t found = 0, joined = 0
    cdef int[REPLIES] score
    cdef int said
    if played == memory.players - 1:
        return last_reply(search, trick, seat, holder, top, box)
    if tick(search):
        return False
    covers = COVERS[pairings(memory, &trick.sets[holder], &trick.sets[seat], popcount64(trick.full))][top]
    for i in range(REPLIES):
        score[i] = DONE
    i = 0
    for answer in range(1, trick.full + 1):
        if SIZES[answer] != trick.size:
            continue
        worth = trick.sets[seat].worth[answer]
        if i == 0 or not points_only(trick):
            score[2 * i] = -worth
        if covers >> answer & 1:
            score[2 * i + 1] = -worth + (-100 if friendly else 100)
        i += 1
    while True:
        best = -1
        for i in range(REPLIES):
            if score[i] != DONE and (best < 0 or score[i] > score[best]):
                best = i
        if best < 0:
            break
        score[best] = DONE
        kind = best & 1
        trick.chosen[seat] = nth_set(trick.full, trick.size, best >> 1)
        if kind:
            said = reply(search, trick, played + 1, seat, trick.chosen[seat], &found)
        else:
            said = reply(search, trick, played + 1, holder, top, &found)
        if search.aborted:
            return False
        if said == mine:
            box[0] = found
            return mine
        joined = join(mine, first, joined, found)
        first = False
    box[0] = joined
    return not mine


cdef inline int nth_set(int full, int size, int n) noexcept nogil:
    """The n-th set of a size among a hand's cards."""
    cdef int mask
    for mask in range(1, full + 1):
        if SIZES[mask] == size:
            if n == 0:
                return mask
            n -= 1
    return 0


cdef int lead_score(Search* search, Round* trick, int mask) noexcept nogil:
    """How promising a lead looks: points if no adversary can cover it, and little spent."""
    cdef Memory* memory = &search.memory
    cdef int seat, leader = trick.start.leader
    cdef int score = 60 * PRIZE[SIZES[mask]]
    for seat in range(memory.players):
        if seat != leader and (seat == memory.pov or leader == memory.pov):
            if COVERS[pairings(memory, &trick.sets[leader], &trick.sets[seat], popcount64(trick.full))][mask]:
                score = -score
                break
    return score - trick.sets[leader].worth[mask]


cdef bint gather(Search* search, Party* now, uint64_t* box) noexcept nogil:
    """Whether the target is reached from a trick's start, and the widest box the proof holds for."""
    cdef Memory* memory = &search.memory
    cdef Round trick
    cdef int[8] score
    cdef int seat, mask, best, n = 0
    cdef bint mine = now.leader == memory.pov, first = True, said
    cdef uint64_t found = 0, joined = 0
    if tick(search):
        return False
    make_room(search)
    open_round(&trick, now)
    for seat in range(memory.players):
        n = divide(memory, now.hands[seat], &trick.sets[seat])
    trick.full = (1 << n) - 1
    for mask in range(8):
        score[mask] = DONE
    for mask in range(1, trick.full + 1):
        if SIZES[mask] == 1 or is_lead(trick.sets[now.leader].cards[mask]):
            score[mask] = lead_score(search, &trick, mask)
    while True:
        best = 0
        for mask in range(1, trick.full + 1):
            if score[mask] != DONE and (best == 0 or score[mask] > score[best]):
                best = mask
        if best == 0:
            break
        score[best] = DONE
        trick.chosen[now.leader] = best
        trick.size = SIZES[best]
        said = reply(search, &trick, 1, now.leader, best, &found)
        if search.aborted:
            return False
        if said == mine:
            box[0] = found
            keep(search, now, mine, found)
            return mine
        joined = join(mine, first, joined, found)
        first = False
    box[0] = joined
    keep(search, now, not mine, joined)
    return not mine


cdef void sit_down(Memory* memory, State* state, Party* now) noexcept nogil:
    """The trick's start as the search has it; in the midst of a trick with the hands as they are now."""
    cdef int seat
    now.points = 0
    for seat in range(8):
        now.hands[seat] = state.hands[seat]
    for seat in range(memory.players):
        now.points |= <uint64_t>(15 - state.points[seat] if seat == memory.pov else state.points[seat]) << (8 * seat)
    now.leader = state.leader
    now.rounds = state.rounds
    now.depth = state.horizon - 1 if state.horizon else 0


cdef bint resume(Search* search, State* state, Party* now, uint64_t* box) noexcept nogil:
    """From the midst of a trick: of what was played only the top cards matter, so whoever does not hold the trick is
    taken to have played cards that are not there."""
    cdef Round trick
    cdef int seat, place, n, mask
    open_round(&trick, now)
    trick.size = state.size
    trick.full = (1 << popcount64(state.hands[actor(state)])) - 1
    for place in range(search.memory.players):
        seat = (state.leader + place) % search.memory.players
        n = divide(&search.memory, state.hands[seat] | (state.top if seat == state.holder else 0), &trick.sets[seat])
        trick.chosen[seat] = trick.full ^ ((1 << n) - 1)
    for mask in range(1, trick.full + 1):
        if trick.sets[state.holder].cards[mask] == state.top:
            trick.chosen[state.holder] = mask
    return reply(search, &trick, state.played, state.holder, trick.chosen[state.holder], box)


cdef bint gather_root(Search* search, State* state, int target) noexcept nogil:
    """From anywhere in the play."""
    cdef Memory* memory = &search.memory
    cdef Party now
    cdef uint64_t box = 0
    cdef int said
    memory.target = target
    memory.pov = state.pov
    sit_down(memory, state, &now)
    said = by_points(memory, now.points, most_points(popcount64(state.hands[actor(state)]) + now.rounds), &box)
    if said != OPEN:
        return said
    if state.played:
        return resume(search, state, &now, &box)
    said = known(search, &now, &box)
    return gather(search, &now, &box) if said == OPEN else said
