import Foundation
import Testing
import WebImageTesting

@Suite("Gate", .timeLimit(.minutes(5)))
struct GateTests {
    @Test("an open gate passes tasks and threads alike")
    func open() async throws {
        let gate = Gate()
        let task = Task { try await gate.wait() }
        let thread = Task {
            await withCheckedContinuation { continuation in
                Thread {
                    gate.waitBlocking()
                    continuation.resume()
                }.start()
            }
        }
        #expect(!gate.isOpen)
        gate.open()
        gate.open()
        #expect(gate.isOpen)
        try await task.value
        await thread.value
        try await gate.wait()
        gate.waitBlocking()
    }

    @Test("a cancelled task stops waiting")
    func cancel() async throws {
        let gate = Gate()
        let task = Task { try await gate.wait() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!gate.isOpen)
    }
}
