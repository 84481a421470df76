/// Reports, as long as it lives, that parts of windows were covered or uncovered.
final class CoverWatch {
    private static var watches: [ObjectIdentifier: () -> Void] = [:]

    init(_ changed: @escaping () -> Void) { Self.watches[ObjectIdentifier(self)] = changed }

    isolated deinit { Self.watches[ObjectIdentifier(self)] = nil }

    static func tell() {
        for changed in watches.values { changed() }
    }
}
