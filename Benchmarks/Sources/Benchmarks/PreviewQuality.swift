import FoundationEssentials
import Glibc
import WebImage

/// The longer side of a thumbnail, and the similarity of a preview of that size to the exact one.
protocol PreviewSide: Sendable {
    static var side: Int { get }
}

enum EighthOfPhoto: PreviewSide { static let side = 300 }
enum QuarterOfPhoto: PreviewSide { static let side = 1000 }
enum HalfOfPhoto: PreviewSide { static let side = 2000 }

/// The effect of the scans that a preview leaves out; the documentation promises 40 dB.
struct PreviewQuality<Side: PreviewSide>: Benchmark {
    static var id: String { "jpeg-preview-quality-\(Side.side)" }
    static var what: String { "12-megapixel progressive JPEG to \(Side.side) px, preview against exact" }

    private static var promise: Double { 40 }

    func run() async throws -> Measurement {
        let file = try SamplePhoto.twelveMegapixels.progressiveJPEG()
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: Side.side, height: Side.side)
        let exact = try ImageCodersManager.shared.decode(file, options: options).bitmap
        options.decodesPreview = true
        let preview = try ImageCodersManager.shared.decode(file, options: options).bitmap
        let quality = preview.peakSignalToNoise(against: exact)
        return Measurement(
            id: Self.id, what: Self.what, ours: quality, unit: "dB", rival: "promised", rivalValue: Self.promise,
            ratio: Self.promise / quality, goal: 1)
    }
}

extension Bitmap {
    /// In dB, over the colour channels; both bitmaps are opaque and of one size.
    func peakSignalToNoise(against other: Bitmap) -> Double {
        let sum = withUnsafeBytes { mine in
            other.withUnsafeBytes { theirs in
                zip(mine, theirs).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
            }
        }
        return sum == 0 ? 99 : 10 * log10(Double(size.width * size.height * 3) * 65025 / Double(sum))
    }
}
