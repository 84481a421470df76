import FoundationEssentials
import Synchronization
import WebImageCoders
import WebImageCore

/// A coder of a fictitious animation format: `WxHxN` in ASCII is an animation of N frames, `WxH` a still picture.
final class ScriptedAnimationCoder: ImageCoder {
    private let providesFrames: Bool
    private let isVector: Bool
    private let decodes = Mutex(0)

    /// - Parameters:
    ///   - providesFrames: Whether pictures include their frames, as ``ScriptedFrames``.
    ///   - isVector: Whether pictures are marked as vector graphics.
    init(providesFrames: Bool = true, isVector: Bool = false) {
        self.providesFrames = providesFrames
        self.isVector = isVector
    }

    var decodeCount: Int { decodes.withLock { $0 } }

    static func file(_ width: Int, _ height: Int, frames: Int) -> Data { Data("\(width)x\(height)x\(frames)".utf8) }

    /// Width, height and frames of a file; nil when it is none.
    static func numbers(_ data: Data) -> [Int]? {
        let numbers = String(decoding: data, as: UTF8.self).split(separator: "x").compactMap { Int($0) }
        switch numbers.count {
        case 2: return numbers + [1]
        case 3: return numbers
        default: return nil
        }
    }

    func canDecode(_ data: Data) -> Bool { true }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? { nil }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        decodes.withLock { $0 += 1 }
        guard let numbers = Self.numbers(data) else {
            throw WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "not a scripted animation")
        }
        let original = PixelSize(width: numbers[0], height: numbers[1])
        let size = options.thumbnailPixelSize ?? original
        let bitmap = try Bitmap(size: size, pixels: [UInt8](repeating: 255, count: size.area * 4))
        var metadata = ImageMetadata(format: .gif, originalPixelSize: original)
        metadata.isVector = isVector
        metadata.frameCount = options.decodesFirstFrameOnly ? 1 : numbers[2]
        let frames = providesFrames && metadata.frameCount > 1 ? ScriptedFrames(bitmap, metadata.frameCount) : nil
        return Image(bitmap: bitmap, metadata: metadata, animation: frames, decodeOptions: options)
    }

    func canEncode(_ format: ImageFormat) -> Bool { true }

    func encode(_ image: Image, to format: ImageFormat, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        ScriptedCoder.file(image.pixelSize.width, image.pixelSize.height)
    }
}

/// Identical frames.
final class ScriptedFrames: AnimatedImageProvider {
    let frameCount: Int
    let loopCount: Int
    private let bitmap: Bitmap
    private let preloads = Mutex(0)

    init(_ bitmap: Bitmap, _ frameCount: Int, loopCount: Int = 0) {
        self.loopCount = loopCount
        self.bitmap = bitmap
        self.frameCount = frameCount
    }

    /// The number of calls of ``preloadAllFrames()``.
    var preloadCount: Int { preloads.withLock { $0 } }

    func frame(at index: Int) throws(WebImageError) -> Bitmap { bitmap }
    func duration(at index: Int) -> Duration { .milliseconds(100) }
    func preloadAllFrames() { preloads.withLock { $0 += 1 } }
}
