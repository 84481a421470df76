/// Identifies a load among those of all widgets, in the order of the calls.
package struct ViewLoadID: Hashable, Sendable, Comparable {
    @MainActor private static var last: UInt64 = 0

    private let number: UInt64

    /// The next one.
    @MainActor package init() {
        Self.last += 1
        number = Self.last
    }

    package static func < (lhs: ViewLoadID, rhs: ViewLoadID) -> Bool { lhs.number < rhs.number }
}
