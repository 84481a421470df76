// The coder of one's own that Docs/Coders.md shows, compiled and tested. A test compares the two.

// snippet: coder
import Foundation
import WebImage

/// Flipbooks: "FLIP", then a byte each for width, height, frames and hundredths of a second per frame, then opaque RGBA.
struct FlipbookCoder: ImageCoder {
    static let format = ImageFormat(rawValue: 1000)

    func canDecode(_ data: Data) -> Bool { data.starts(with: Array("FLIP".utf8)) }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        guard let header = FlipbookHeader(data) else {
            if isComplete { throw .damaged("it ends before its pixels begin") }
            return nil  // more of it is needed
        }
        return ImageProperties(
            format: Self.format, pixelSize: header.size, frameCount: header.frameCount,
            frameDurations: Array(repeating: .milliseconds(header.milliseconds), count: header.frameCount))
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let book = try Flipbook(data, options: options)
        guard book.frameCount > 0 else { throw .damaged("it has no whole frame") }
        return try book.image(options)
    }
}
// end

// snippet: header
struct FlipbookHeader {
    static let byteCount = 8
    let size: PixelSize
    let frameCount: Int
    let milliseconds: Int

    init?(_ data: Data) {
        let bytes = [UInt8](data.prefix(Self.byteCount))
        guard bytes.count == Self.byteCount, bytes[4] > 0, bytes[5] > 0 else { return nil }
        size = PixelSize(width: Int(bytes[4]), height: Int(bytes[5]))
        frameCount = Int(bytes[6])
        milliseconds = Int(bytes[7]) * 10
    }
}

extension WebImageError {
    static func damaged(_ finding: String) -> WebImageError {
        WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "the flipbook is damaged: \(finding)")
    }
}
// end

// snippet: animation
/// The frames that have come so far, each decoded when it is asked for.
final class Flipbook: AnimatedImageProvider {
    let frameCount: Int
    let loopCount = 0
    var animatedImageData: Data? { data }
    private let header: FlipbookHeader
    private let data: Data
    private let options: ImageDecodeOptions

    init(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) {
        guard let header = FlipbookHeader(data) else { throw .damaged("it ends before its pixels begin") }
        self.header = header
        self.data = data
        self.options = options
        frameCount = min(header.frameCount, (data.count - FlipbookHeader.byteCount) / (header.size.area * 4))
    }

    func frame(at index: Int) throws(WebImageError) -> Bitmap {
        guard index < frameCount else { throw .damaged("frame \(index) is not there") }
        try options.checkCancellation()
        let byteCount = header.size.area * 4
        let pixels = data.dropFirst(FlipbookHeader.byteCount + index * byteCount).prefix(byteCount)
        let bitmap = try Bitmap(size: header.size, pixels: [UInt8](pixels))
        let size = options.outputSize(for: header.size, frameCount: frameCount)  // the box of a thumbnail, if any
        let points = PointSize(width: Double(size.width), height: Double(size.height))
        return Image(bitmap: bitmap).resized(to: points, scaleMode: .fill)?.bitmap ?? bitmap
    }

    func duration(at index: Int) -> Duration { .milliseconds(header.milliseconds) }

    func preloadAllFrames() {}

    func image(_ options: ImageDecodeOptions, isIncremental: Bool = false) throws(WebImageError) -> Image {
        let bitmap = try frame(at: 0)
        let isAnimated = frameCount > 1 && !options.decodesFirstFrameOnly
        var metadata = ImageMetadata(
            format: FlipbookCoder.format, originalPixelSize: header.size, frameCount: isAnimated ? frameCount : 1,
            isThumbnail: bitmap.size != header.size)
        metadata.isIncremental = isIncremental
        return Image(
            bitmap: bitmap, scale: options.scaleFactor ?? 1, metadata: metadata, animation: isAnimated ? self : nil,
            decodeOptions: options)
    }
}

extension FlipbookCoder: AnimatedImageCoder {
    func makeAnimation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider {
        try Flipbook(data, options: options)
    }
}
// end

// snippet: progressive
extension FlipbookCoder: ProgressiveImageCoder {
    func canDecodeProgressively(_ data: Data) -> Bool { canDecode(data) }

    func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder {
        IncomingFlipbook(options: options)
    }
}

/// A flipbook that is still coming: shows each frame as soon as it is whole.
final class IncomingFlipbook: ProgressiveImageDecoder, @unchecked Sendable {  // used by one job at a time
    private let options: ImageDecodeOptions
    private var data = Data()
    private var shownCount = 0

    init(options: ImageDecodeOptions) { self.options = options }

    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        data += newBytes
        guard FlipbookHeader(data) != nil else { return nil }
        let book = try Flipbook(data, options: options)
        guard book.frameCount > shownCount else { return nil }
        shownCount = book.frameCount
        return try book.image(options, isIncremental: true)
    }
}
// end

// snippet: registration
private func registerFlipbooks() {
    ImageCodersManager.shared.add(FlipbookCoder())  // every load of the app, asked before all others
}

private func contextForFlipbooks() -> WebImageContext {
    var context = WebImageContext()
    context.coder = ImageCodersManager(coders: [FlipbookCoder()])  // or one load only
    return context
}
// end
