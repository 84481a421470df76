import FoundationEssentials
import Glibc
import WebImageCore

/// Encodes frames as a GIF file: each frame holds only its differences from the frame before, with a palette shared by
/// all frames, or with a local one where the shared palette fits badly.
///
/// Iterates over the frames twice and holds three of them at a time.
struct GIFCompressor {
    /// For one frame besides its bitmap: three pictures, a copy with straight alpha, indices and codes.
    static let bytesPerPixel = 24

    private let frames: OutgoingFrames
    private let options: ImageEncodeOptions

    /// The factor by which a local palette must reduce the error, beyond the reduction that its bytes would achieve
    /// elsewhere.
    private static let ownPaletteGain: Float = 1.5
    /// A squared error that is invisible.
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
        let durations = frames.durations
        var encoder = GIFFrameEncoder(
            palette: survey.palette, strength: options.ditheringStrength,
            reservesTransparency: survey.needsTransparency)
        var canvas = GIFPicture(size: survey.size)
        for index in 0..<frames.count {
            let picture = try GIFPicture(frames.bitmap(at: index))
            let clears = survey.clearsAfter.contains(index)
            let own = ownPalette(of: picture, since: canvas, survey)
            var frame = encoder.encode(picture, since: canvas, isWhole: clears, ownPalette: own)
            frame.hundredths = durations[index] / 10
            frame.disposal = clears ? .restoreBackground : .keep
            writer.append(frame)
            canvas = clears ? GIFPicture(size: survey.size) : picture
        }
        writer.appendTrailer()
        return writer.data
    }
}

extension GIFCompressor {
    /// The properties of all frames that are needed before the first is written.
    private struct Survey {
        var size: PixelSize
        var palette: ColorPalette
        var needsTransparency: Bool
        /// The colours of all frames, with an entry for transparency.
        var tableColors: [UInt32]
        /// Frames after which the canvas is cleared, because the next frame has transparent pixels where this one has
        /// not.
        var clearsAfter: Set<Int>
        /// Whether all entries are colours and each frame is drawn in full.
        var countsAll: Bool
        /// Whether an entry for unchanged pixels would cost a colour that the pixels need.
        var wantsEveryColor: Bool
    }

    /// - Parameter countsAll: What opaque frames allow; otherwise one entry marks unchanged pixels.
    private func survey(countsAll: Bool) throws(WebImageError) -> Survey {
        let size = try frames.bitmap(at: 0).size
        guard max(size.width, size.height) <= GIFWriter.maximumSide else {
            throw .notEncoded(.gif, "\(size) pixels are more than \(GIFWriter.maximumSide) a side; use PNG or WebP")
        }
        var before = GIFPicture(size: size)
        var all = ColorHistogram()
        var clearsAfter: Set<Int> = []
        var isOpaque = true
        for index in 0..<frames.count {
            let picture = try GIFPicture(frames.bitmap(at: index))
            if picture.clearsPixels(of: before) {
                clearsAfter.insert(index - 1)
                before = GIFPicture(size: size)
            }
            picture.countColors(since: countsAll ? GIFPicture(size: size) : before, in: &all)
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
            countsAll: countsAll,
            wantsEveryColor: isOpaque && needsTransparency
                && (limit == 2 || colors.isExact && colors.bins.count == limit))
    }

    /// The local palette of a frame that the shared one fits badly. Decided where the frame is written: the colours of
    /// all frames of a long animation take too much memory.
    private func ownPalette(
        of picture: GIFPicture, since canvas: GIFPicture, _ survey: Survey
    ) -> ColorPalette? {
        guard frames.count > 1, !options.sharesColors else { return nil }
        let colors = picture.drawnColors(since: survey.countsAll ? GIFPicture(size: picture.size) : canvas)
        let shared = ColorQuantizer.fit(of: survey.palette, for: colors)
        guard shared.error > Self.unseenError else { return nil }
        let count = min(max(options.maxColorCount, 2), 256) - (survey.needsTransparency ? 1 : 0)
        let candidate = ColorQuantizer.palette(of: colors, count: count)
        let fit = ColorQuantizer.fit(of: candidate, for: colors)
        // More bits would reduce the error of the shared palette, too: each additional bit per pixel halves it.
        let tableBits = Float(3 * 8 << GIFWriter.tableBits(count))
        let bits = fit.bitsPerPixel - shared.bitsPerPixel + tableBits / max(1, colors.pixelCount)
        return fit.error * Self.ownPaletteGain * exp2f(max(0, bits)) < shared.error ? candidate : nil
    }
}
