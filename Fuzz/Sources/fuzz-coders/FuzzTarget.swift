import FoundationEssentials

/// Something that takes any bytes. Only a trap, a sanitizer report or a hang is a failure.
protocol FuzzTarget: Sendable {
    func run(_ bytes: Data)
}

/// The targets of fuzzing, by name.
enum FuzzTargets {
    /// Only the fuzzer's single thread accesses it.
    nonisolated(unsafe) static var current: (any FuzzTarget)?

    private static let others: KeyValuePairs<String, any FuzzTarget> = [
        "items": FuzzedItems(), "svg": FuzzedSVG(), "reply": FuzzedReplies(),
    ]

    static var names: [String] { FuzzedCoder.names + others.map(\.key) }

    static func named(_ name: String) -> (any FuzzTarget)? {
        others.first { $0.key == name }?.value ?? FuzzedCoder.named(name)
    }
}
