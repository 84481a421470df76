import Glibc
import Synchronization

/// A descriptor that is closed once: when it is no longer needed, or with its owner.
package final class OwnedDescriptor: Sendable {
    private let open: Atomic<CInt>
    private let closing: @Sendable (CInt) -> Void

    /// - Parameter closing: Closes the descriptor, or keeps it for another use.
    package init(_ number: CInt, closing: @escaping @Sendable (CInt) -> Void = { _ = Glibc.close($0) }) {
        open = Atomic(number)
        self.closing = closing
    }

    deinit { close() }

    /// Negative once it is closed.
    package var number: CInt { open.load(ordering: .acquiring) }

    package func close() {
        let number = open.exchange(-1, ordering: .acquiringAndReleasing)
        if number >= 0 { closing(number) }
    }
}
