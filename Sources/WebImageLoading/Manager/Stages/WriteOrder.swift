import Synchronization

/// The order in which several writes of one file were requested. Encoders end in any order, and an older picture must
/// not replace a newer one.
final class WriteOrder: Sendable {
    private let latest = Mutex<[StoredName: UInt64]>([:])
    private static let lastNumber = Atomic<UInt64>(0)

    /// Notes a requested write, and returns its number.
    func begin(_ name: StoredName) -> UInt64 {
        let number = Self.lastNumber.add(1, ordering: .relaxed).newValue
        latest.withLock { $0[name] = number }
        return number
    }

    /// Whether no other write of the file was requested since.
    func isLatest(_ number: UInt64, of name: StoredName) -> Bool { latest.withLock { $0[name] == number } }

    /// The write is done, or was given up.
    func end(_ number: UInt64, of name: StoredName) {
        latest.withLock { if $0[name] == number { $0[name] = nil } }
    }
}
