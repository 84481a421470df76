import Synchronization
import Testing

@testable import WebImage

@Suite("Receiver of a load", .timeLimit(.minutes(5)))
struct LoadReceiverTests {
    @Test("the thousandth report takes no more stack than the first")
    func stackOfReports() {
        let lowest = Mutex<[UInt]>([])
        let receiver = LoadReceiver { _ in
            var marker = 0
            withUnsafePointer(to: &marker) { place in lowest.withLock { $0.append(UInt(bitPattern: place)) } }
        }
        for count in 0..<1000 { receiver.report(LoadProgress(receivedByteCount: count)) }
        let places = lowest.withLock { $0 }
        #expect(places.count == 1000)
        #expect(Set(places).count == 1)
    }

    @Test("A97 the closure is handed out for one ending, and hears nothing after it")
    func oneEnding() {
        let count = Atomic<Int>(0)
        let receiver = LoadReceiver { _ in count.add(1, ordering: .relaxed) }
        receiver.report(LoadProgress(receivedByteCount: 1))
        #expect(receiver.take() != nil)
        #expect(receiver.take() == nil)
        receiver.report(LoadProgress(receivedByteCount: 2))
        #expect(count.load(ordering: .relaxed) == 1)
    }
}
