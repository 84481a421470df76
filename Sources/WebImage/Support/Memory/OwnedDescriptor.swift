import Glibc
import Synchronization

/// A descriptor that is closed once: when it is no longer needed, or with its owner.
package final class OwnedDescriptor: Sendable {
    private let open: Atomic<CInt>

    package init(_ number: CInt) { open = Atomic(number) }

    deinit { close() }

    /// Negative once it is closed.
    package var number: CInt { open.load(ordering: .acquiring) }

    package func close() {
        let number = open.exchange(-1, ordering: .acquiringAndReleasing)
        if number >= 0 { _ = Glibc.close(number) }
    }
}
