import Glibc
import Synchronization

/// A descriptor that is closed once: when it is no longer needed, or with its owner.
final class OwnedDescriptor: Sendable {
    private let number: Atomic<CInt>

    init(_ number: CInt) { self.number = Atomic(number) }

    deinit { close() }

    func close() {
        let number = self.number.exchange(-1, ordering: .acquiringAndReleasing)
        if number >= 0 { _ = Glibc.close(number) }
    }
}
