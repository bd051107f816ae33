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
    int16_t lead_need, other_need
    int8_t left             # cards in the stock, 0 once it is closed
    int8_t target           # eyes that win the test for the side on lead, as long as the stock is open
    uint16_t marks          # see below
    uint32_t tag            # set by locate(), as is
    uint32_t bucket         # its place in the table, in cache lines

# Of two cards of a suit in one hand with none between them that the other holds or that is still to be drawn, each takes
# the tricks the other would. So to a trick one loses one plays the lower one, and to a trick one takes the higher: the
# points come sooner, or not at all. Only what the card played could still have been good for speaks against it.
ctypedef struct Ranks:
    uint32_t between        # cards that part the hand's from each other
    uint32_t dear           # cards that might still announce a marriage, or be exchanged

# What all the leads to a trick have in common.
ctypedef struct Trick:
    Race kept, taken        # the race after it if the leader keeps the lead and if not, but for the two cards played
    uint64_t kept_key, taken_key    # what their tags do to the place in the table
    Ranks leads, answers    # which cards are as good as others
    int turn                # how good it looks to take it, beside its points
    int phase               # of the weights

# A card that may be answered to a lead, and what comes of it.
ctypedef struct Reply:
    Race next
    int16_t score           # how good the trick looks for the one who led to it
    int8_t points           # of the trick
    int8_t kept             # whether the leader takes it
    int8_t card

ctypedef struct Lead:
    Reply replies[6]        # those not yet known, nor worse than others
    int count               # how many there are
    int card
    int bonus               # marriage points announced with it
    int score               # how good it looks if the other answers well
    bint failed             # an answer beats it
    bint taken              # and takes the trick
    Result holds            # how far the answers already known to be harmless are that; once it failed, how far it does

# The table is exact: the two hands and the tag (see tag_of) are all that a race depends on beside the needs.
ctypedef struct Entry:
    uint64_t hands          # of the side on lead | of the other << 32
    uint32_t tag
    int8_t won_lead, won_other      # the Result of a proof that the side on lead wins,
    int8_t lost_lead, lost_other    # and that it loses

cdef enum:
    RACE_TABLE = 1 << 19    # bytes used at most: what stays in a core's own cache is worth more than a few nodes
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
    STAMP = 1 << 14         # upwards: the low bits of Memory.stamp


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
    cdef Trick trick
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
    begin_trick(search, &node, stock_cards(search, &node), &trick)
    if not answer_all(search, &node, &trick, &lead):
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


# ---- bounds once nothing is drawn any more ----

# What one hand's cards of a suit are good for against the other's, a byte each:
#   0, 1  tricks taken from the top while the other must follow, and what they are worth at least
#   2, 3  tricks taken if the other has no trumps (of trumps: at all), and what they are worth at least
#   4     what the suit can bring at most in such a run, if the other only takes care to stop it: he keeps his highest
#         card where it beats what then is left (there is always room for that: both hands are of one size)
#   5, 6  cards higher than any of his, and what they are worth by themselves
#   7     to how many tricks of the run he must throw away cards of other suits | 128 if it leaves him none of this one
cdef uint64_t[729] SUITS        # by TERNARY of the hand's six bits + 2 * TERNARY of the other's
cdef uint16_t[64] TERNARY

cdef enum:
    SAFE = 0
    SAFE_POINTS = 8
    RUN = 16
    RUN_POINTS = 24
    RUN_MOST = 32
    TOP = 40
    TOP_POINTS = 48
    FORCES = 56             # on top, so that adding suits up does no harm
    CLEARS = 128


cdef int lowest_points(int cards, int n) noexcept nogil:
    """Of the n lowest."""
    cdef int i, total = 0
    for i in range(6):
        if n > 0 and cards >> i & 1:
            total += POINTS[i]
            n -= 1
    return total


cdef int highest_points(int cards, int n) noexcept nogil:
    """Of the n highest."""
    return SUIT_POINTS[cards] - lowest_points(cards, max(popcount64(cards) - n, 0))


cdef uint64_t weigh_suit(int mine, int others) noexcept nogil:
    cdef int count = popcount64(mine), many = popcount64(others)
    cdef int top = popcount64(mine & ~((2 << highest64(others)) - 1)) if others else count
    cdef int safe = min(top, many)
    cdef bint clears = top >= many
    cdef int run = count if clears else top
    cdef int kept = 1 << highest64(others) if run < count else 0
    return (<uint64_t>safe << SAFE | <uint64_t>(highest_points(mine, safe) + lowest_points(others, safe)) << SAFE_POINTS
            | <uint64_t>run << RUN
            | <uint64_t>(highest_points(mine, run) + lowest_points(others, min(run, many))) << RUN_POINTS
            | <uint64_t>(highest_points(mine, run) + SUIT_POINTS[others & ~kept]) << RUN_MOST
            | <uint64_t>(count - many + CLEARS if clears else 0) << FORCES
            | <uint64_t>top << TOP | <uint64_t>highest_points(mine, top) << TOP_POINTS)


cdef void weigh_suits() noexcept nogil:
    cdef int mine, others, i, power
    for mine in range(64):
        power = 1
        TERNARY[mine] = 0
        for i in range(6):
            TERNARY[mine] += power * (mine >> i & 1)
            power *= 3
    for mine in range(64):
        for others in range(64):
            if not mine & others:
                SUITS[TERNARY[mine] + 2 * TERNARY[others]] = weigh_suit(mine, others)


weigh_suits()


cdef inline uint64_t suit_pair(uint32_t mine, uint32_t others, int suit) noexcept nogil:
    return SUITS[TERNARY[suit_of(mine, suit)] + 2 * TERNARY[suit_of(others, suit)]]


cdef inline int field(uint64_t suit, int which) noexcept nogil:
    return suit >> which & 0xff


# What the leader can take in a row without ever losing the lead.
ctypedef struct Cash:
    int points              # at least
    int tricks              # no more, no less
    int most                # points, at most


cdef inline Cash cash(uint32_t mine, uint32_t others) noexcept nogil:
    cdef uint64_t trumps = suit_pair(mine, others, 0)
    cdef uint64_t side = suit_pair(mine, others, 1) + suit_pair(mine, others, 2) + suit_pair(mine, others, 3)
    cdef Cash c
    if field(trumps, FORCES) & CLEARS:
        c.points = field(trumps, RUN_POINTS) + field(side, RUN_POINTS)
        c.tricks = field(trumps, RUN) + field(side, RUN)
        c.most = c.points
        if field(trumps + side, FORCES) & ~CLEARS:
            c.most = field(trumps, RUN_MOST) + field(side, RUN_MOST)
    else:
        c.points = c.most = field(trumps, RUN_POINTS) + field(side, SAFE_POINTS)
        c.tricks = field(trumps, RUN) + field(side, SAFE)
    return c


cdef inline int marriages(uint32_t hand) noexcept nogil:
    """All marriage points in a hand."""
    cdef uint32_t pairs = hand & hand >> 1 & 0x04040404
    return 0 if not pairs else 20 * popcount64(pairs) + (20 if pairs & 4 else 0)


cdef inline bint bounded_race(const Race* node, Result* known) noexcept nogil:
    """Whether cashing wins it, or what the other is sure to get loses it."""
    cdef Cash sure = cash(node.lead, node.other), rest
    cdef int bonus = marriages(node.lead)
    cdef int most, suit
    cdef uint64_t trumps
    if sure.tricks and node.lead_need <= sure.points:
        known[0] = result(True, sure.points, -ANY_NEED)
        return True
    if sure.tricks == popcount64(node.lead) and not node.marks & LEAD_MUST_REACH:
        known[0] = result(True, ANY_NEED, -ANY_NEED)
        return True
    if bonus:
        for suit in range(4):
            if suit_of(node.lead, suit) & KING_QUEEN == KING_QUEEN:
                rest = cash(node.lead & ~(<uint32_t>KING_QUEEN << 8 * suit), node.other)
                rest.points += 20 if suit else 40
                if node.lead_need <= rest.points and (rest.tricks or node.marks & LEAD_HAS_TRICK):
                    known[0] = result(True, rest.points, -ANY_NEED)
                    return True
    if node.other_need <= 0 and node.lead_need > sure.most + bonus:
        known[0] = result(False, sure.most + bonus + 1, 0)
        return True
    trumps = suit_pair(node.other, node.lead, 0)
    if field(trumps, TOP):
        most = points_of(node.lead | node.other) - field(trumps, TOP_POINTS) + bonus
        if node.lead_need > most:
            if node.marks & LEAD_MUST_REACH:
                known[0] = result(False, most + 1, ANY_NEED)
                return True
            if node.other_need <= field(trumps, TOP_POINTS):
                known[0] = result(False, most + 1, field(trumps, TOP_POINTS))
                return True
    return False


# ---- the table ----

cdef inline uint64_t key_of(uint32_t tag) noexcept nogil:
    return tag * <uint64_t>0x9e3779b97f4a7c15


cdef inline void place(Search* search, Race* node, uint64_t key) noexcept nogil:
    """Finds a race's place in the table: four entries in a cache line."""
    cdef uint64_t mixed = mix64((node.lead | <uint64_t>node.other << 32) ^ key)
    node.bucket = mixed & ((min(search.table_bytes >> 1, RACE_TABLE) >> 6) - 1)


cdef inline void locate(Search* search, Race* node) noexcept nogil:
    node.tag = tag_of(search, node)
    place(search, node, key_of(node.tag))


cdef inline Entry* bucket_of(Search* search, const Race* node) noexcept nogil:
    return <Entry*>(search.table + (<size_t>node.bucket << 6))


cdef bint probe(Search* search, const Race* node, Result* found) noexcept nogil:
    """Whether the table settles a race."""
    cdef Entry* entry = bucket_of(search, node)
    cdef uint64_t hands = node.lead | <uint64_t>node.other << 32
    cdef int i
    for i in range(4):
        if entry[i].hands == hands and entry[i].tag == node.tag:
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
    cdef Entry* bucket = bucket_of(search, node)
    cdef uint64_t hands = node.lead | <uint64_t>node.other << 32
    cdef Entry* entry = NULL
    cdef int i
    for i in range(4):
        if bucket[i].hands == hands and bucket[i].tag == node.tag:
            entry = &bucket[i]
            break
    if entry == NULL:
        for i in range(3, 0, -1):       # the youngest first, the eldest drops out
            bucket[i] = bucket[i - 1]
        entry = bucket
        entry.hands = hands
        entry.tag = node.tag
        entry.won_lead = entry.lost_other = -ANY_NEED - 1
        entry.won_other = entry.lost_lead = ANY_NEED
    if r.won:
        entry.won_lead = bounded(r.lead)
        entry.won_other = bounded(r.other)
    else:
        entry.lost_lead = bounded(r.lead)
        entry.lost_other = bounded(r.other)


# ---- cards as good as others ----

cdef inline uint32_t stock_cards(Search* search, const Race* node) noexcept nogil:
    cdef Memory* memory = &search.memory
    cdef uint32_t rest
    if node.left == 0:
        return 0
    rest = memory.rest[node.left]
    if node.marks & SWAPPED:
        rest = (rest & ~bit(memory.stock[1])) | bit(memory.low)
    return rest


cdef inline Ranks ranks_of(Search* search, uint32_t hand, uint32_t others, uint32_t stock) noexcept nogil:
    cdef Ranks ranks
    cdef uint32_t own = hand | stock
    ranks.between = others | stock
    ranks.dear = (own & 0x04040404) << 1 | (own & 0x08080808) >> 1
    if stock:
        ranks.dear |= bit(search.memory.low)
    return ranks


cdef inline uint32_t next_below(uint32_t hand, const Ranks* ranks, int card) noexcept nogil:
    """The hand's cards below one that are as good."""
    cdef uint32_t below = (bit(card) - 1) & lane(card)
    cdef uint32_t parting = ranks.between & below
    if parting:
        below &= ~((<uint32_t>2 << highest64(parting)) - 1)
    return hand & below


cdef inline uint32_t next_above(uint32_t hand, const Ranks* ranks, int card) noexcept nogil:
    """The hand's cards above one that are as good."""
    cdef uint32_t above = lane(card) & ~((<uint32_t>2 << card) - 1)
    cdef uint32_t parting = ranks.between & above
    if parting:
        above &= (parting & (0 - parting)) - 1
    return hand & above


cdef inline bint useless(uint32_t cards, const Ranks* ranks, int card, bint loses) noexcept nogil:
    """Whether another one of the cards that may be played is at least as good, in a trick that they all lose or take."""
    return ((next_below(cards, ranks, card) if loses else next_above(cards, ranks, card)) & ~ranks.dear) != 0


cdef inline bint fails_with(const Lead* failed, uint32_t hand, const Ranks* ranks, int card) noexcept nogil:
    """Whether a lead fails because another one did: the same answer is as good against it."""
    if bit(failed.card) & ranks.dear:
        return False
    return (bit(failed.card) & (next_below(hand, ranks, card) if failed.taken else next_above(hand, ranks, card))) != 0


# ---- ordering ----

# A trick looks as good as its points (eight to each) and the lead, against the worth of the card spent on it. Found by a
# hill climb (bench/tune_sixty_six.py).
cdef enum:
    # The phases: many cards of the stock left, few, none.
    PHASES = 3
    FEW_LEFT = 4
    # The weights of a phase.
    WORTHS = 0              # of cards: side suits from the nine up, trumps
    DRAWN_WORTHS = 12       # of cards about to be drawn, likewise
    LEAD_WORTH = 24         # having the lead
    MARRIAGE_BROKEN = 25    # king or queen spent that could announce 20
    ANSWERS = 26            # each answer that a lead leaves open, against it
    WON_BEFORE = 27         # a lead that has often won of late, at most
    WEIGHTS_EACH = 28
    WEIGHT_COUNT = 84

cdef int[WEIGHT_COUNT] WEIGHTS = [
    17, 15, 32, 30, 16, 121,  132, 80, 140, 124, 160, 289,
        -35, -8, 34, -19, 32, 85,  153, 98, 135, 185, 166, 199,  0, 110, 16, 60,
    27, 17, 24, 30, 16, 121,  88, 84, 130, 124, 120, 248,
        -34, 4, 10, -9, 24, 106,  102, 132, 68, 129, 211, 277,  -2, 204, 37, 60,
    -6, -2, 16, 17, 65, 69,  54, 75, 42, 83, 55, 40,
        0, 0, 0, 0, 0, 0,  0, 0, 0, 0, 0, 0,  0, 57, 28, 60,
]
cdef int16_t[PHASES][32] WORTH      # by card
cdef int16_t[PHASES][32] DRAWN


cdef void spread_weights() noexcept nogil:
    cdef int phase, card, kind
    for phase in range(PHASES):
        for card in range(32):
            kind = phase * WEIGHTS_EACH + min(card & 7, 5) + (6 if card < 8 else 0)
            WORTH[phase][card] = WEIGHTS[kind + WORTHS]
            DRAWN[phase][card] = WEIGHTS[kind + DRAWN_WORTHS]


spread_weights()


cdef inline int weight(int phase, int which) noexcept nogil:
    return WEIGHTS[phase * WEIGHTS_EACH + which]


def get_weights():
    """The weights of the move ordering."""
    return [WEIGHTS[i] for i in range(WEIGHT_COUNT)]


def set_weights(weights):
    """Sets the weights of the move ordering, for all solvers: they change how long a search takes, never its answer."""
    cdef int i
    if len(weights) != WEIGHT_COUNT or min(weights) < -2000 or max(weights) > 2000:
        raise ValueError(f"there are {WEIGHT_COUNT} weights from -2000 to 2000")
    for i in range(WEIGHT_COUNT):
        WEIGHTS[i] = weights[i]
    spread_weights()


cdef inline int card_worth(uint32_t hand, int card, int phase) noexcept nogil:
    """With what breaking a marriage costs."""
    cdef int worth = WORTH[phase][card]
    if (card & 6) == 2 and suit_of(hand, card >> 3) & KING_QUEEN == KING_QUEEN:
        worth += weight(phase, MARRIAGE_BROKEN) * (1 if card >> 3 else 2)
    return worth


cdef inline void note(Search* search, const Race* node, const Lead* lead) noexcept nogil:
    """Keeps the history of leads."""
    cdef int16_t* wins = &search.memory.wins[node.left][lead.card]
    if lead.failed:
        wins[0] -= wins[0] // 8
    else:
        wins[0] = min(wins[0] + 8, 1000)


cdef void look_at(Search* search, const Race* node, const Trick* trick, Lead* lead) noexcept nogil:
    """Scores the answers to a lead, and the lead by the best of them."""
    cdef int base = lead.bonus * 8
    cdef int i, gain
    cdef Reply* reply
    base -= WORTH[trick.phase][lead.card] if lead.bonus else card_worth(node.lead, lead.card, trick.phase)
    lead.score = 30000
    for i in range(lead.count):
        reply = &lead.replies[i]
        gain = reply.points * 8 + trick.turn
        reply.score = base + card_worth(node.other, reply.card, trick.phase) + (gain if reply.kept else -gain)
        lead.score = min(lead.score, reply.score)
    lead.score += min(weight(trick.phase, WON_BEFORE), 4 * search.memory.wins[node.left][lead.card])
    lead.score -= lead.count * weight(trick.phase, ANSWERS)


cdef inline void best_first(Lead* lead, int i) noexcept nogil:
    """Brings the answer that looks worst for the leader to place i."""
    cdef int j, best = i
    cdef Reply swap
    for j in range(i + 1, lead.count):
        if lead.replies[j].score < lead.replies[best].score:
            best = j
    if best != i:
        swap = lead.replies[i]
        lead.replies[i] = lead.replies[best]
        lead.replies[best] = swap


# ---- a trick ----

cdef inline int first_drawn(Search* search, const Race* node) noexcept nogil:
    """The card the next trick brings the one who takes it."""
    return search.memory.stock[node.left]


cdef inline int second_drawn(Search* search, const Race* node) noexcept nogil:
    """The card it brings the other."""
    return search.memory.low if node.left == 2 and node.marks & SWAPPED else search.memory.stock[node.left - 1]


cdef inline void finish_trick(Search* search, const Race* node, Race* next) noexcept nogil:
    """For the one on lead in `next`, who took it: the draws, and what changes with them."""
    next.marks |= LEAD_HAS_TRICK
    if node.left > 0:
        next.lead |= bit(first_drawn(search, node))
        next.other |= bit(second_drawn(search, node))
        next.left -= 2
        if next.left == 0:
            next.marks = (next.marks | PLAYED_OUT) & ~SWAPPED
    next.tag = tag_of(search, next)


cdef void begin_trick(Search* search, const Race* node, uint32_t stock, Trick* trick) noexcept nogil:
    trick.kept = node[0]
    finish_trick(search, node, &trick.kept)
    trick.kept_key = key_of(trick.kept.tag)
    trick.taken = other_side(node)
    finish_trick(search, node, &trick.taken)
    trick.taken_key = key_of(trick.taken.tag)
    trick.leads = ranks_of(search, node.lead, node.other, stock)
    trick.answers = ranks_of(search, node.other, node.lead, stock)
    trick.phase = 0 if node.left > FEW_LEFT else 1 if stock else 2
    trick.turn = weight(trick.phase, LEAD_WORTH)
    if stock:
        trick.turn += DRAWN[trick.phase][first_drawn(search, node)] - DRAWN[trick.phase][second_drawn(search, node)]


cdef inline bint answered(Search* search, const Race* node, const Trick* trick, const Lead* lead, int card, Reply* reply,
                          Result* known) noexcept nogil:
    """Plays out a trick; true if that settles the race, with the result as the leader of the trick sees it."""
    cdef Race* next = &reply.next
    reply.card = card
    reply.points = POINTS[lead.card & 7] + POINTS[card & 7]
    reply.kept = not beats(card, lead.card, 0)
    if reply.kept:
        if node.lead_need - lead.bonus <= reply.points:
            known[0] = result(True, reply.points + lead.bonus, -ANY_NEED)
            return True
        next[0] = trick.kept
        next.lead ^= bit(lead.card)
        next.other ^= bit(card)
        next.lead_need -= lead.bonus + reply.points
    else:
        if node.other_need <= reply.points:
            known[0] = result(False, -ANY_NEED, reply.points)
            return True
        next[0] = trick.taken
        next.lead ^= bit(card)
        next.other ^= bit(lead.card)
        next.lead_need -= reply.points
        next.other_need -= lead.bonus
    if settled(search, next, known):
        known[0] = told(lead, reply, known[0])
        return True
    place(search, next, trick.kept_key if reply.kept else trick.taken_key)
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
    return told(lead, reply, visit(search, &reply.next))


cdef inline void also(Result* all, Result r) noexcept nogil:
    """Narrows a result to where another one of the same kind holds too."""
    if all.won:
        all.lead = min(all.lead, r.lead)
        all.other = max(all.other, r.other)
    else:
        all.lead = max(all.lead, r.lead)
        all.other = min(all.other, r.other)


cdef bint answer_all(Search* search, const Race* node, const Trick* trick, Lead* lead) noexcept nogil:
    """Lists the answers to a lead that bounds do not settle, and calls their table entries in. False if one of them
    beats the lead: then `holds` says how far."""
    cdef uint32_t cards = node.other, left
    cdef Result known
    cdef Reply* reply
    cdef int card
    lead.count = 0
    lead.failed = False
    lead.holds = result(True, ANY_NEED, -ANY_NEED)
    if node.marks & PLAYED_OUT:
        cards = owed(cards, lead.card, lead.card, 0, node.marks >> 4 & SCHNAPSEN)
    left = cards
    while left:
        card = highest64(left)
        left ^= bit(card)
        if useless(cards, &trick.answers, card, not beats(card, lead.card, 0)):
            continue
        reply = &lead.replies[lead.count]
        if answered(search, node, trick, lead, card, reply, &known):
            if not known.won:
                lead.holds = known
                lead.failed = True
                lead.taken = not reply.kept
                return False
            also(&lead.holds, known)
        else:
            prefetch(bucket_of(search, &reply.next))
            lead.count += 1
    return True


cdef bint look_up(Search* search, Lead* lead) noexcept nogil:
    """Leaves out the answers that the table knows. False if one of them beats the lead: then `holds` says how far."""
    cdef Result known
    cdef int i, kept = 0
    for i in range(lead.count):
        if probe(search, &lead.replies[i].next, &known):
            known = told(lead, &lead.replies[i], known)
            if not known.won:
                lead.holds = known
                lead.failed = True
                lead.taken = not lead.replies[i].kept
                return False
            also(&lead.holds, known)
        else:
            if kept != i:
                lead.replies[kept] = lead.replies[i]
            kept += 1
    lead.count = kept
    return True


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


cdef inline bint settled(Search* search, const Race* node, Result* known) noexcept nogil:
    """Whether a race needs no search."""
    cdef int bonus = marriage(node)
    if node.marks & LEAD_HAS_TRICK and node.lead_need <= bonus:
        known[0] = result(True, bonus, -ANY_NEED)
        return True
    if node.lead == 0:
        known[0] = result(True, ANY_NEED, -ANY_NEED)
        if node.marks & LEAD_MUST_REACH:
            known[0] = result(False, -ANY_NEED, ANY_NEED)
        return True
    if node.marks & PLAYED_OUT:
        return bounded_race(node, known)
    return closing_wins(search, node, known)


cdef inline bint closing_wins(Search* search, const Race* node, Result* known) noexcept nogil:
    """Whether the leader may close and then cash."""
    cdef int rise = GAME - goal(node.target)
    cdef Cash sure
    if search.memory.closing == NO_CLOSING:
        return False
    sure = cash(node.lead, node.other)
    if sure.tricks and node.lead_need + rise <= sure.points:
        known[0] = result(True, sure.points - rise, -ANY_NEED)
        return True
    return False


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
    else:
        closed.other_need += other_rise
        closed.marks |= LEAD_MUST_REACH
    r = on_lead(search, &closed)
    if memory.closing != ALL_TRICKS:
        r.other -= other_rise
    elif r.won:
        r.other = -ANY_NEED
    else:
        r.other = ANY_NEED
    r.lead -= rise
    return r


cdef Result exchange_first(Search* search, const Race* node) noexcept nogil:
    """The leader swaps his lowest trump for the indicator."""
    cdef Memory* memory = &search.memory
    cdef Race swapped = node[0]
    swapped.lead ^= bit(memory.low) | bit(memory.stock[1])
    swapped.marks |= SWAPPED
    return on_lead(search, &swapped)


cdef Result on_lead(Search* search, Race* node) noexcept nogil:
    cdef Result r
    if settled(search, node, &r):
        return r
    locate(search, node)
    return visit(search, node)


cdef Result visit(Search* search, const Race* node) noexcept nogil:
    """Of a race that bounds do not settle."""
    cdef Result r
    if probe(search, node, &r):
        return r
    if tick(search):
        return result(False, ANY_NEED, -ANY_NEED)
    r = try_all(search, node)
    if search.aborted:
        return r
    if not r.won and node.marks & LEAD_HAS_TRICK:
        r.lead = max(r.lead, marriage(node) + 1)
    store(search, node, r)
    return r


cdef Result try_all(Search* search, const Race* node) noexcept nogil:
    """Wins with the first option that does, or fails with all."""
    cdef Lead leads[6]
    cdef Result lost = result(False, -ANY_NEED, ANY_NEED)
    cdef Result r
    cdef uint32_t cards = node.lead, stock = stock_cards(search, node)
    cdef Trick trick
    cdef int i, best, n = 0
    if stock:
        r = try_stock(search, node)
        if r.won or search.aborted:
            return r
        also(&lost, r)
    begin_trick(search, node, stock, &trick)
    while cards:
        leads[n].card = highest64(cards)
        cards ^= bit(leads[n].card)
        leads[n].bonus = announced(node, leads[n].card)
        if failed_before(leads, n, node.lead, &trick.leads):
            continue
        if not answer_all(search, node, &trick, &leads[n]):
            also(&lost, leads[n].holds)
        elif leads[n].count == 0:
            return leads[n].holds
        n += 1
    for i in range(n):
        if leads[i].failed:
            continue
        if not look_up(search, &leads[i]):
            also(&lost, leads[i].holds)
        elif leads[i].count == 0:
            return leads[i].holds
    for i in range(n):
        if not leads[i].failed:
            look_at(search, node, &trick, &leads[i])
    while True:
        best = next_lead(leads, n, node.lead, &trick.leads)
        if best < 0:
            return lost
        r = try_lead(search, &leads[best])
        if search.aborted:
            return r
        note(search, node, &leads[best])
        if r.won:
            return r
        also(&lost, r)


cdef Result try_stock(Search* search, const Race* node) noexcept nogil:
    """The options of an open stock."""
    cdef Memory* memory = &search.memory
    cdef Result lost = result(False, -ANY_NEED, ANY_NEED)
    cdef Result r
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
    return lost


cdef inline bint failed_before(const Lead* leads, int n, uint32_t hand, const Ranks* ranks) noexcept nogil:
    """Whether the lead at n fails for the same reason as one before it."""
    cdef int i
    if leads[n].bonus:
        return False
    for i in range(n):
        if leads[i].failed and fails_with(&leads[i], hand, ranks, leads[n].card):
            return True
    return False


cdef int next_lead(Lead* leads, int n, uint32_t hand, const Ranks* ranks) noexcept nogil:
    """The best-looking lead not tried yet, or -1."""
    cdef int i, j, best = -1
    for i in range(n):
        if leads[i].failed:
            continue
        for j in range(n):
            if leads[j].failed and leads[i].bonus == 0 and fails_with(&leads[j], hand, ranks, leads[i].card):
                leads[i].failed = True
                leads[i].taken = leads[j].taken
                break
        if not leads[i].failed and (best < 0 or leads[i].score > leads[best].score):
            best = i
    return best


cdef Result try_lead(Search* search, Lead* lead) noexcept nogil:
    cdef Result r
    cdef int i
    for i in range(lead.count):
        best_first(lead, i)
        r = replied(search, lead, &lead.replies[i])
        if search.aborted:
            return r
        if not r.won:
            lead.failed = True
            lead.taken = not lead.replies[i].kept
            return r
        also(&lead.holds, r)
    return lead.holds
