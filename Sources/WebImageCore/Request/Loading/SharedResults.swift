import Synchronization

/// The results of loads that share one response, for loads that need the same work a moment later. The stage that does
/// the work chooses their type.
package final class SharedResults: Sendable {
    private let memory = Mutex<(any Sendable)?>(nil)

    /// The one memory of all loads with the response; the first call creates it.
    package func memory<Memory: Sendable>(orMake make: () -> Memory) -> Memory {
        memory.withLock { memory in
            if let memory = memory as? Memory { return memory }
            let made = make()
            memory = made
            return made
        }
    }
}
