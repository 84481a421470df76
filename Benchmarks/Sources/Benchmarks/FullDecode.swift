import CBareCodecs
import FoundationEssentials
import WebImage

/// A format whose library is also called directly, for comparison.
protocol BareCodec: Sendable {
    static var name: String { get }
    static var goal: Double { get }
    static var coder: any ImageCoder { get }
    static func file() throws -> Data
    /// The number of decoded pixels or frames; 0 for a failure.
    static func decode(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int
}

extension BareCodec {
    static var coder: any ImageCoder { ImageCodersManager.shared }
}

/// Decoding twelve megapixels through the public API, against the bare library decoding to newly allocated memory; one
/// thread.
struct FullDecode<Codec: BareCodec>: Benchmark {
    static var id: String { "\(Codec.name)-decode" }
    static var what: String { "12-megapixel \(Codec.name) at full size" }

    func run() async throws -> Measurement {
        let file = try Codec.file()
        let outcome = try await Turns().compareProcessorTime {
            _ = try Codec.coder.decode(file, options: ImageDecodeOptions())
        } rival: {
            try Self.bare(file)
        }
        return measurement(outcome, rival: "the library alone", goal: Codec.goal)
    }

    private static func bare(_ file: Data) throws {
        let count = file.withUnsafeBytes { bytes in
            bytes.bindMemory(to: UInt8.self).baseAddress.map { Codec.decode($0, bytes.count) } ?? 0
        }
        guard count > 0 else { throw BenchmarkError("the bare library could not decode the picture") }
    }
}

enum BareJPEG: BareCodec {
    static let name = "jpeg"
    static let goal = 0.8
    static func file() throws -> Data { try SamplePhoto.twelveMegapixels.jpeg() }
    static func decode(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int { webimage_bare_jpeg(bytes, count) }
}

enum BarePNG: BareCodec {
    static let name = "png"
    static let goal = 0.7
    static func file() throws -> Data { try SamplePhoto.twelveMegapixels.encoded(to: .png) }
    static func decode(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int { webimage_bare_png(bytes, count) }
}

enum BareWebP: BareCodec {
    static let name = "webp"
    static let goal = 1.0
    static func file() throws -> Data { try SamplePhoto.twelveMegapixels.encoded(to: .webP, quality: 0.8) }
    static func decode(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int { webimage_bare_webp(bytes, count) }
}
