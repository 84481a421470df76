import Synchronization

/// What loads that share one answer have made of it, for those that come to the same work a moment later. The stage that
/// does the work says what that is.
final class SharedResults: Sendable {
    private let memory = Mutex<(any Sendable)?>(nil)

    /// The one memory of all who share the answer; the first who asks makes it.
    func memory<Memory: Sendable>(orMake make: () -> Memory) -> Memory {
        memory.withLock { memory in
            if let memory = memory as? Memory { return memory }
            let made = make()
            memory = made
            return made
        }
    }
}
