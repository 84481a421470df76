import Dispatch
import Synchronization
import Testing
import WebImageCore
import WebImageTesting

@Suite("Places to work at")
struct WorkPlacesTests {
    private static func places(
        _ limit: Int, low: Int, urgent: Int, room: WorkPlaces.Room = .half
    ) -> WorkPlaces {
        var places = WorkPlaces(limit: limit, room: room)
        for _ in 0..<low { places.enter(.low) }
        for _ in 0..<urgent { places.enter(.high) }
        return places
    }

    @Test("low priority takes half of the places")
    func reserve() {
        #expect(Self.places(6, low: 2, urgent: 0).hasPlace(for: .low))
        #expect(!Self.places(6, low: 3, urgent: 0).hasPlace(for: .low))
        #expect(Self.places(6, low: 3, urgent: 2).hasPlace(for: .normal))
        #expect(!Self.places(6, low: 3, urgent: 3).hasPlace(for: .high))
        #expect(!Self.places(2, low: 1, urgent: 0).hasPlace(for: .low))
        #expect(Self.places(2, low: 0, urgent: 1).hasPlace(for: .low))
        #expect(!Self.places(2, low: 0, urgent: 2).hasPlace(for: .low))
    }

    @Test("what becomes of low priority while it runs takes no more than half of the places from the others")
    func demoted() {
        for urgent in 0..<3 {
            #expect(Self.places(6, low: 6, urgent: urgent).hasPlace(for: .high))
            #expect(Self.places(6, low: 4, urgent: urgent).hasPlace(for: .high))
        }
        #expect(!Self.places(6, low: 6, urgent: 3).hasPlace(for: .high))
        #expect(!Self.places(6, low: 6, urgent: 0).hasPlace(for: .low))
        #expect(Self.places(1, low: 2, urgent: 0).hasPlace(for: .high))
    }

    @Test("with one place, an urgent job still runs beside one of low priority")
    func onePlace() {
        #expect(Self.places(1, low: 0, urgent: 0).hasPlace(for: .low))
        #expect(Self.places(1, low: 1, urgent: 0).hasPlace(for: .normal))
        #expect(!Self.places(1, low: 1, urgent: 0).hasPlace(for: .low))
        #expect(!Self.places(1, low: 1, urgent: 1).hasPlace(for: .high))
        #expect(!Self.places(1, low: 0, urgent: 1).hasPlace(for: .high))
        #expect(!Self.places(1, low: 0, urgent: 1).hasPlace(for: .low))
    }

    @Test("beside low priority the others have places of their own")
    func beside() {
        #expect(Self.places(2, low: 1, urgent: 0, room: .beside).hasPlace(for: .low))
        #expect(!Self.places(2, low: 2, urgent: 0, room: .beside).hasPlace(for: .low))
        #expect(Self.places(2, low: 2, urgent: 1, room: .beside).hasPlace(for: .normal))
        #expect(!Self.places(2, low: 2, urgent: 2, room: .beside).hasPlace(for: .high))
        #expect(!Self.places(2, low: 0, urgent: 2, room: .beside).hasPlace(for: .low))
    }

    @Test("a limit of zero counts as one")
    func noLimit() {
        #expect(Self.places(0, low: 0, urgent: 0).hasPlace(for: .low))
    }

    /// The number of running jobs of each kind.
    private struct Tally {
        var (low, urgent) = (0, 0)
        var (mostLow, mostUrgent, most) = (0, 0, 0)
        var ended = 0

        mutating func begin(_ isLow: Bool) {
            if isLow { low += 1 } else { urgent += 1 }
            (mostLow, mostUrgent, most) = (max(mostLow, low), max(mostUrgent, urgent), max(most, low + urgent))
        }

        mutating func end(_ isLow: Bool) {
            if isLow { low -= 1 } else { urgent -= 1 }
            ended += 1
        }
    }

    @Test(
        "a queue runs every job within its places, whatever is moved and removed", arguments: 1...4,
        [1, 2, 3] as [UInt64])
    func queue(limit: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let queue = JobQueue(label: "test", limit: limit)
        let tally = Mutex(Tally())
        let done = DispatchGroup()
        var tickets: [JobQueue.Ticket] = []
        var removedCount = 0
        for _ in 0..<500 {
            let priority = LoadPriority.allCases.randomElement(using: &random) ?? .low
            done.enter()
            tickets.append(
                queue.submit(priority: priority) {
                    tally.withLock { $0.begin(priority == .low) }
                    tally.withLock { $0.end(priority == .low) }
                    done.leave()
                })
            guard let other = tickets.randomElement(using: &random), Int.random(in: 0..<10, using: &random) == 0
            else { continue }
            if queue.remove(other) {
                removedCount += 1
                done.leave()
            }
        }
        #expect(done.wait(timeout: .now() + 30) == .success, "seed \(seed): a job was forgotten")
        let end = tally.withLock { $0 }
        #expect(end.ended + removedCount == 500)
        #expect(end.mostLow <= limit)
        #expect(end.mostUrgent <= limit)
    }
}
