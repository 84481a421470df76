import FoundationEssentials
import WebImageTesting

/// How slow the built-in pictures come: for each a delay and a bandwidth, drawn by lot with a fixed seed, so that every
/// run is the same.
nonisolated struct NetworkProfile {
    private let delays: ClosedRange<Int>
    private let bandwidths: ClosedRange<Int>

    init(_ network: GalleryOptions.Network) {
        switch network {
        case .slow:
            delays = 500...3000
            bandwidths = 8_000...60_000
        case .normal:
            delays = 100...900
            bandwidths = 30_000...400_000
        case .fast:
            delays = 1...10
            bandwidths = 20_000_000...50_000_000
        }
    }

    /// The answer for the picture called `number`.
    func shape(_ response: OriginResponse, number: Int) -> OriginResponse {
        var lot = Lot(seed: UInt64(number))
        return response.delayed(by: .milliseconds(lot.draw(from: delays)))
            .limited(toBytesPerSecond: lot.draw(from: bandwidths))
    }
}

/// Random numbers that are the same for the same seed: SplitMix64 (Steele, Lea, Flood 2014).
nonisolated struct Lot {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func draw(from range: ClosedRange<Int>) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return range.lowerBound + Int(mixed % UInt64(range.count))
    }
}
