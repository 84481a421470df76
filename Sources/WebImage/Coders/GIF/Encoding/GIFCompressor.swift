import FoundationEssentials
import Glibc

/// Makes a GIF file of frames: only what differs from the frame before is drawn, in colours that serve all frames, or in a
/// frame's own where those would do it no justice.
///
/// Goes over the frames twice and holds three of them at a time.
struct GIFCompressor {
    private let frames: OutgoingFrames
    private let options: ImageEncodeOptions

    /// How much nearer to the pixels a palette of the frame's own must be, beside what its bytes would do.
    private static let ownPaletteGain: Float = 1.5
    /// Squared differences that nobody sees.
    private static let unseenError: Float = 6

    init(_ frames: OutgoingFrames, options: ImageEncodeOptions) {
        self.frames = frames
        self.options = options
    }

    func encode() throws(WebImageError) -> Data {
        var survey = try survey(countsAll: false)
        if survey.wantsEveryColor { survey = try self.survey(countsAll: true) }
        var writer = GIFWriter(size: survey.size, globalColors: survey.tableColors)
        if frames.count > 1 { writer.appendLoopCount(frames.loopCount) }
        let ends = hundredths()
        var encoder = GIFFrameEncoder(
            palette: survey.palette, strength: options.ditheringStrength,
            reservesTransparency: survey.needsTransparency)
        var canvas = GIFPicture(size: survey.size)
        for index in 0..<frames.count {
            let picture = try GIFPicture(frames.bitmap(at: index))
            let clears = survey.clearsAfter.contains(index)
            let own = survey.ownPalettes[index]
            var frame = encoder.encode(picture, since: canvas, isWhole: clears, ownPalette: own)
            frame.hundredths = ends[index]
            frame.disposal = clears ? .restoreBackground : .keep
            writer.append(frame)
            canvas = clears ? GIFPicture(size: survey.size) : picture
        }
        writer.appendTrailer()
        return writer.data
    }

    /// Hundredths of a second of each frame, which never drift from what was asked for.
    private func hundredths() -> [Int] {
        var end = 0
        return frames.durations.map { duration in
            let start = end
            end += duration
            return (end + 5) / 10 - (start + 5) / 10
        }
    }
}

extension GIFCompressor {
    /// What must be known of all frames before the first is written.
    private struct Survey {
        var size: PixelSize
        var palette: ColorPalette
        var needsTransparency: Bool
        /// The colours of all frames, with a place for what is clear.
        var tableColors: [UInt32]
        /// Frames after which everything is cleared, because the next one shows less.
        var clearsAfter: Set<Int>
        var ownPalettes: [Int: ColorPalette]
        /// Whether a place for what stays as it is would be one of the colours that the pixels need.
        var wantsEveryColor: Bool
    }

    /// - Parameter countsAll: Whether all colours are the pixels' and each frame is drawn in full, as opaque ones can be;
    ///   otherwise an index says of a pixel that it stays as it is.
    private func survey(countsAll: Bool) throws(WebImageError) -> Survey {
        let size = try frames.bitmap(at: 0).size
        guard max(size.width, size.height) <= GIFWriter.maximumSide else {
            throw .notEncoded(.gif, "\(size) pixels are more than \(GIFWriter.maximumSide) a side; use PNG or WebP")
        }
        var before = GIFPicture(size: size)
        var all = ColorHistogram()
        var each: [ColorBins] = []
        var clearsAfter: Set<Int> = []
        var isOpaque = true
        for index in 0..<frames.count {
            let picture = try GIFPicture(frames.bitmap(at: index))
            if picture.clearsPixels(of: before) {
                clearsAfter.insert(index - 1)
                before = GIFPicture(size: size)
            }
            var own = ColorHistogram()
            picture.count(since: countsAll ? GIFPicture(size: size) : before, seen: &all, drawn: &own)
            each.append(own.colors)
            isOpaque = isOpaque && picture.isOpaque
            before = picture
        }
        let limit = min(max(options.maxColorCount, 2), 256)
        let needsTransparency = !isOpaque || frames.count > 1 && !countsAll
        let count = limit - (needsTransparency ? 1 : 0)
        let colors = all.colors
        let palette = ColorQuantizer.palette(of: colors, count: count)
        return Survey(
            size: size, palette: palette, needsTransparency: needsTransparency,
            tableColors: palette.colors + (needsTransparency ? [0] : []), clearsAfter: clearsAfter,
            ownPalettes: options.sharesColors ? [:] : Self.ownPalettes(each, all: palette, count: count),
            wantsEveryColor: isOpaque && needsTransparency
                && (limit == 2 || colors.isExact && colors.bins.count == limit))
    }

    private static func ownPalettes(
        _ frames: [ColorBins], all palette: ColorPalette, count: Int
    ) -> [Int: ColorPalette] {
        guard frames.count > 1 else { return [:] }
        var own: [Int: ColorPalette] = [:]
        let tableBits = Float(3 * 8 << GIFWriter.tableBits(count))
        for (index, colors) in frames.enumerated() {
            let shared = ColorQuantizer.fit(of: palette, for: colors)
            guard shared.error > unseenError else { continue }
            let candidate = ColorQuantizer.palette(of: colors, count: count)
            let fit = ColorQuantizer.fit(of: candidate, for: colors)
            // More bits would lessen the error anyway, spent on more colours for all: each bit of a pixel halves it.
            let bits = fit.bitsPerPixel - shared.bitsPerPixel + tableBits / max(1, colors.pixelCount)
            if fit.error * ownPaletteGain * exp2f(max(0, bits)) < shared.error { own[index] = candidate }
        }
        return own
    }
}
