import Testing
import WebImageCore
import WebImageLoading
import WebImagePresentation
import WebImageTesting

/// The turns of loads in examples, and in random schedules. Rows are numbered from the top.
@Suite("The turns of loads") struct ViewTurnsTests {
    private struct Row: TurnTaking {
        let id: Int
        var turn: ViewTurn
    }

    private struct Move: Hashable {
        let id: Int
        let visibility: ViewVisibility
    }

    private struct Screen {
        var turns = ViewTurns<Row>()
        var now = Duration.zero

        init(_ rows: some Sequence<Int>, isPatient: Bool = false) {
            for id in rows { turns.add(Row(id: id, turn: ViewTurn(isPatient: isPatient))) }
        }

        mutating func begin(_ standings: [Int: ViewStanding]) {
            turns.look(at: standings.map { (id: $0.key, standing: $0.value) }, isRightToLeft: false)
        }

        mutating func next() -> Move? {
            turns.next(at: now).map { Move(id: $0.load.id, visibility: $0.visibility) }
        }

        mutating func look(_ standings: [Int: ViewStanding]) -> [Move] {
            begin(standings)
            var moves: [Move] = []
            while let move = next() { moves.append(move) }
            return moves
        }
    }

    private static func seen(_ row: Int) -> ViewStanding {
        ViewStanding(corner: PointSize(width: 0, height: Double(row)))
    }

    private static func near(_ row: Int) -> ViewStanding { ViewStanding(distance: 1 + Double(row) / 100) }

    private static let far = ViewStanding(distance: 9, isInWindow: false)

    /// The rows from `first` to `last` are seen, as many are near on either side, and all others are far.
    private func standings(_ first: Int, _ last: Int, of count: Int) -> [Int: ViewStanding] {
        let length = last - first + 1
        return Dictionary(
            uniqueKeysWithValues: (0..<count).map { row in
                if (first...last).contains(row) { return (row, Self.seen(row)) }
                return (row, row < first - length || row > last + length ? Self.far : Self.near(row))
            })
    }

    @Test("S0-3 visible rows come in order, and near ones once those have ended")
    func order() {
        var screen = Screen([5, 2, 1, 0, 4, 3])
        let standings = standings(0, 1, of: 6)
        #expect(screen.look(standings) == [Move(id: 0, visibility: .seen), Move(id: 1, visibility: .seen)])
        #expect(screen.turns.timeOfNear(at: screen.now) == .seconds(1))
        screen.turns.remove(0)
        #expect(screen.look(standings).isEmpty)
        screen.turns.remove(1)
        #expect(screen.turns.timeOfNear(at: screen.now) == nil)
        #expect(screen.look(standings) == [Move(id: 2, visibility: .near), Move(id: 3, visibility: .near)])
        #expect(screen.look(standings).isEmpty, "no row has moved")
    }

    @Test("S0-3 each screen has its second, which that of rows out of sight does not lengthen")
    func patience() {
        var screen = Screen(0..<8)
        _ = screen.look(standings(0, 0, of: 8))
        screen.now = .milliseconds(900)
        #expect(
            screen.look(standings(4, 4, of: 8)) == [Move(id: 4, visibility: .seen), Move(id: 0, visibility: .far)])
        #expect(screen.turns.timeOfNear(at: screen.now) == .milliseconds(1900))
        screen.now = .milliseconds(1899)
        #expect(screen.look(standings(4, 4, of: 8)).isEmpty)
        screen.now = .milliseconds(1900)
        #expect(screen.turns.timeOfNear(at: screen.now) == nil)
        #expect(
            screen.look(standings(4, 4, of: 8)) == [Move(id: 3, visibility: .near), Move(id: 5, visibility: .near)])
    }

    @Test("S0-3 a load that has begun goes on while its view is near, although others are seen")
    func goesOn() {
        var screen = Screen(0..<4)
        _ = screen.look([0: Self.seen(0)])
        #expect(
            screen.look([0: Self.near(0), 1: Self.seen(1), 2: Self.near(2)])
                == [Move(id: 1, visibility: .seen), Move(id: 0, visibility: .near)])
        #expect(screen.look([0: Self.far, 1: Self.seen(1)]) == [Move(id: 0, visibility: .far)])
    }

    @Test("S0-3 only a patient load that has not begun waits for a fast scroll to end")
    func flight() {
        var flying = Self.seen(0)
        flying.isFlying = true
        var screen = Screen([0], isPatient: true)
        #expect(screen.look([0: flying]).isEmpty)
        #expect(screen.look([0: Self.near(0)]) == [Move(id: 0, visibility: .near)])
        #expect(screen.look([0: flying]) == [Move(id: 0, visibility: .seen)])
        var others = Screen([0])
        #expect(others.look([0: flying]) == [Move(id: 0, visibility: .seen)])
    }

    @Test("a look that another one has replaced stops, and a load that another one has ended is not moved")
    func outOfDate() {
        var screen = Screen(0..<6)
        screen.begin(standings(0, 2, of: 6))
        #expect(screen.next() == Move(id: 0, visibility: .seen))
        #expect(screen.look([4: Self.seen(4), 0: Self.near(0)]).map(\.id) == [4, 0])
        #expect(screen.next() == nil)
        screen.begin(standings(0, 2, of: 6))
        #expect(screen.next() == Move(id: 0, visibility: .seen))
        screen.turns.remove(1)
        #expect(screen.next() == Move(id: 2, visibility: .seen))
    }

    // MARK: - Random schedules

    @Test("S0-3 the rules hold in random schedules", arguments: 0..<50 as Range<UInt64>)
    func random(seed: UInt64) {
        var schedule = Schedule(seed: seed)
        for _ in 0..<200 { schedule.step() }
        #expect(schedule.moveCount > 100)
    }

    /// Looks at rows that stand anywhere, while loads come and end, and scrolls that interrupt looks. It knows the rules by
    /// what it was told alone.
    private struct Schedule {
        private var random: SeededGenerator
        private var screen = Screen([])
        private var patient: Set<Int> = []
        private var places: [Int: ViewVisibility] = [:]
        /// Of rows that are in sight.
        private var seenSince: [Int: Duration] = [:]
        private var nextID = 0
        private(set) var moveCount = 0

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        private var rowsInTime: [Int] { seenSince.filter { $0.value + .seconds(1) > screen.now }.map(\.key) }

        mutating func step() {
            for _ in 0..<Int.random(in: 0...3, using: &random) { add() }
            while places.count > 12 { end() }
            if Bool.random(using: &random) { end() }
            screen.now += .milliseconds(Int.random(in: 0...600, using: &random))
            look()
        }

        private mutating func add() {
            let isPatient = Bool.random(using: &random)
            if isPatient { patient.insert(nextID) }
            screen.turns.add(Row(id: nextID, turn: ViewTurn(isPatient: isPatient)))
            places[nextID] = .far
            nextID += 1
        }

        private mutating func end() {
            guard let id = places.keys.sorted().randomElement(using: &random) else { return }
            screen.turns.remove(id)
            (places[id], seenSince[id]) = (nil, nil)
        }

        private mutating func standing(_ row: Int) -> ViewStanding {
            let kinds = [ViewTurnsTests.seen(row), ViewTurnsTests.near(row), ViewTurnsTests.far, ViewTurnsTests.far]
            var standing = kinds[Int.random(in: 0..<4, using: &random)]
            standing.isFlying = Int.random(in: 0..<4, using: &random) == 0
            return standing
        }

        private mutating func look() {
            var standings: [Int: ViewStanding] = [:]
            for row in places.keys.sorted() { standings[row] = standing(row) }
            let former = places
            for (row, standing) in standings where !standing.isVisible { seenSince[row] = nil }
            screen.begin(standings)
            var (moves, isDisturbed) = ([] as [Move], false)
            while let move = screen.next() {
                moves.append(move)
                check(move, standings[move.id])
                guard Int.random(in: 0..<8, using: &random) == 0 else { continue }
                isDisturbed = true
                switch Int.random(in: 0..<3, using: &random) {
                case 0: end()
                case 1: add()
                default: look()
                }
            }
            moveCount += moves.count
            let seen = moves.filter { $0.visibility == .seen }
            #expect(Array(moves.prefix(seen.count)) == seen.sorted { $0.id < $1.id }, "the visible ones come first")
            #expect(Set(moves.map(\.id)).count == moves.count)
            #expect(
                screen.turns.timeOfNear(at: screen.now)
                    == rowsInTime.compactMap { seenSince[$0] }.max().map { $0 + .seconds(1) })
            if !isDisturbed { checkAll(standings, former) }
        }

        private mutating func check(_ move: Move, _ standing: ViewStanding?) {
            guard let former = places[move.id], let standing else {
                Issue.record("\(move) of a load that has ended")
                return
            }
            #expect(move.visibility != former)
            switch move.visibility {
            case .seen: #expect(standing.isVisible)
            case .near:
                #expect(!standing.isVisible && standing.isInWindow)
                #expect(former == .seen || rowsInTime.isEmpty, "it waits for those that are seen")
            case .far: #expect(!standing.isInWindow)
            }
            #expect(former != .far || !patient.contains(move.id) || !standing.isFlying)
            places[move.id] = move.visibility
            seenSince[move.id] = move.visibility == .seen ? screen.now : nil
        }

        /// No load waits that need not.
        private func checkAll(_ standings: [Int: ViewStanding], _ former: [Int: ViewVisibility]) {
            for (row, standing) in standings {
                let isHeld = former[row] == .far && patient.contains(row) && standing.isFlying
                switch places[row] {
                case .seen: #expect(standing.isVisible)
                case .near: #expect(!standing.isVisible && standing.isInWindow)
                default:
                    let mayBegin =
                        standing.isVisible || standing.isInWindow && (former[row] != .far || rowsInTime.isEmpty)
                    #expect(isHeld || !mayBegin, "row \(row)")
                }
            }
        }
    }
}
