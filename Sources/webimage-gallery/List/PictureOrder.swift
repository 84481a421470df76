import CGtk4
import FoundationEssentials

/// The order of a list of pictures.
nonisolated struct PictureOrder: Hashable, Sendable {
    enum Key: String, CaseIterable, Sendable {
        case given, name, date, size
    }

    var key = Key.given
    var isDescending = false

    /// The elements in this order; those that have no date or size are last in either direction, and equal ones stay in
    /// their order.
    func sorted<Element>(
        _ elements: [Element], _ facts: (Element) -> (name: String, date: Date?, byteCount: Int?)
    ) -> [Element] {
        switch key {
        case .given: isDescending ? elements.reversed() : elements
        case .name:
            sorted(elements.map { ($0, Self.collationKey(facts($0).name)) }) { $0.lexicographicallyPrecedes($1) }
        case .date: sorted(elements.map { ($0, facts($0).date) }, by: <)
        case .size: sorted(elements.map { ($0, facts($0).byteCount) }, by: <)
        }
    }

    private func sorted<Element, Value>(
        _ elements: [(Element, Value?)], by precedes: (Value, Value) -> Bool
    ) -> [Element] {
        let known = elements.filter { $0.1 != nil }
        let unknown = elements.filter { $0.1 == nil }
        let sorted = known.sorted { one, other in
            guard let first = one.1, let second = other.1 else { return false }
            return isDescending ? precedes(second, first) : precedes(first, second)
        }
        return (sorted + unknown).map(\.0)
    }

    /// Compares as people do: 2 before 10, and letters as the language has them.
    private static func collationKey(_ name: String) -> [UInt8]? {
        guard let key = g_utf8_collate_key_for_filename(name, -1) else { return [] }
        defer { g_free(key) }
        return UnsafeBufferPointer(start: key, count: strlen(key)).map { UInt8(bitPattern: $0) }
    }
}
