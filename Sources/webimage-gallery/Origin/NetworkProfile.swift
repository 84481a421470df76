import FoundationEssentials
import WebImageTesting

/// The speed of the built-in server: a random delay and bandwidth for each picture, with a fixed seed, so that every
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

    /// The slowed response for the picture with this number.
    func shape(_ response: OriginResponse, number: Int) -> OriginResponse {
        var lot = SeededGenerator(seed: UInt64(number))
        return response.delayed(by: .milliseconds(Int.random(in: delays, using: &lot)))
            .limited(toBytesPerSecond: .random(in: bandwidths, using: &lot))
    }
}
