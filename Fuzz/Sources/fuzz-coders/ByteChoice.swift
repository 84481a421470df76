import FoundationEssentials

/// Deterministic numbers from a file's bytes, which differ between similar files.
struct ByteChoice {
    private var state: UInt64

    init(_ bytes: Data) {
        // FNV-1a.
        state = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// A number in 0..<`bound`; `bound` is positive.
    mutating func next(below bound: Int) -> Int {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
