import Dispatch
import Glibc

/// Writes of what loads have learned. A program that ends in an orderly way, by returning from `main` or by `exit`, waits
/// for them.
package final class UnfinishedWrites: Sendable {
    package static let shared = UnfinishedWrites()

    /// A disk that hangs must not keep a program from its end for longer.
    private static let patience = DispatchTimeInterval.seconds(2)

    private let group = DispatchGroup()

    private init() {
        atexit { UnfinishedWrites.shared.wait() }
    }

    package func begin() { group.enter() }
    package func end() { group.leave() }

    /// Returns when all are done, or after two seconds.
    private func wait() { _ = group.wait(timeout: .now() + Self.patience) }
}
