import Glibc
import WebImage

/// A step of a hash of 32 × 32 pixels.
protocol HashStep: Sendable {
    static var name: String { get }
    static var what: String { get }
    init() throws
    func run()
}

/// A hash of 32 × 32 pixels, against the same number of waves summed up pixel by pixel, as in the formats' descriptions.
struct PlaceholderHash<Step: HashStep>: Benchmark {
    static var id: String { Step.name }
    static var what: String { Step.what }

    private static var rounds: Int { 100 }

    func run() async throws -> Measurement {
        let step = try Step()
        let naive = NaiveWaves()
        let outcome = try await Turns().compare {
            threadSeconds { for _ in 0..<Self.rounds { step.run() } } * 1000 / Double(Self.rounds)
        } rival: {
            threadSeconds { for _ in 0..<Self.rounds { naive.run() } } * 1000 / Double(Self.rounds)
        }
        return measurement(outcome, rival: "12 waves of 3 channels, pixel by pixel", ceiling: 0.2)
    }
}

/// The sums of the formats' descriptions.
private struct NaiveWaves {
    private let samples = (0..<32 * 32 * 3).map { Double($0 % 251) / 251 }

    func run() {
        var total = 0.0
        for row in 0..<3 {
            for column in 0..<4 {
                var sums = (0.0, 0.0, 0.0)
                for y in 0..<32 {
                    for x in 0..<32 {
                        let basis = cos(.pi * Double(column * x) / 32) * cos(.pi * Double(row * y) / 32)
                        let place = (y * 32 + x) * 3
                        sums.0 += basis * samples[place]
                        sums.1 += basis * samples[place + 1]
                        sums.2 += basis * samples[place + 2]
                    }
                }
                total += sums.0 + sums.1 + sums.2
            }
        }
        precondition(total.isFinite, "nothing was summed up")
    }
}

/// A picture with something in every wave.
private func picture() throws -> Bitmap {
    let pixels = (0..<32 * 32).flatMap { number -> [UInt8] in
        let (x, y) = (number % 32, number / 32)
        return [UInt8(x * 8), UInt8(y * 8), UInt8(x * y / 4), 255]
    }
    return try Bitmap(size: PixelSize(width: 32, height: 32), pixels: pixels)
}

struct ThumbEncode: HashStep {
    static let name = "thumbhash-encode"
    static let what = "ThumbHash of 32 × 32 pixels"
    private let bitmap: Bitmap

    init() throws { bitmap = try picture() }

    func run() { precondition((try? ThumbHash(of: bitmap)) != nil, "it fails") }
}

struct ThumbDecode: HashStep {
    static let name = "thumbhash-decode"
    static let what = "ThumbHash to 32 × 32 pixels"
    private let hash: ThumbHash

    init() throws { hash = try ThumbHash(of: picture()) }

    func run() { precondition((try? hash.bitmap(size: PixelSize(width: 32, height: 32))) != nil, "it fails") }
}

struct BlurEncode: HashStep {
    static let name = "blurhash-encode"
    static let what = "BlurHash of 32 × 32 pixels, 4 × 3 waves"
    private let bitmap: Bitmap

    init() throws { bitmap = try picture() }

    func run() { precondition((try? BlurHash(of: bitmap)) != nil, "it fails") }
}

struct BlurDecode: HashStep {
    static let name = "blurhash-decode"
    static let what = "BlurHash to 32 × 32 pixels, 4 × 3 waves"
    private let hash: BlurHash

    init() throws { hash = try BlurHash(of: picture()) }

    func run() { precondition((try? hash.bitmap(size: PixelSize(width: 32, height: 32))) != nil, "it fails") }
}
