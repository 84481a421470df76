/// Counts the watched Swift objects that still exist.
@MainActor
final class LiveReferences {
    private struct Entry {
        weak var object: AnyObject?
    }

    private var entries: [ObjectIdentifier: Entry] = [:]

    var count: Int { entries.values.count { $0.object != nil } }

    /// Their types.
    var left: Set<String> { Set(entries.values.compactMap { $0.object.map { "\(type(of: $0))" } }) }

    func watch(_ object: AnyObject?) {
        if let object { entries[ObjectIdentifier(object)] = Entry(object: object) }
    }
}
