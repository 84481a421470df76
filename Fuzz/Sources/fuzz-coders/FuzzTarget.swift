import FoundationEssentials

/// Something that takes any bytes. Only a trap, a sanitizer report or a hang is a failure.
protocol FuzzTarget {
    func run(_ bytes: Data)
}

/// What can be fuzzed, by name.
enum FuzzTargets {
    /// Only the fuzzer's single thread accesses it.
    nonisolated(unsafe) static var current: (any FuzzTarget)?

    private static var others: [String: any FuzzTarget] { ["svg": FuzzedSVG(), "reply": FuzzedReplies()] }

    static var names: [String] { FuzzedCoder.names + others.keys.sorted() }

    static func named(_ name: String) -> (any FuzzTarget)? { others[name] ?? FuzzedCoder.named(name) }
}
