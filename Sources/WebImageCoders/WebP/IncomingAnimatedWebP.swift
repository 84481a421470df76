import FoundationEssentials
import WebImageCore

/// An incomplete animated WebP file: its complete frames. Belongs to one thread at a time.
final class IncomingAnimatedWebP: IncomingFile {
    private let options: ImageDecodeOptions
    private var reader: WebPReader?
    /// Unread bytes: less than a chunk.
    private var pending = PendingBytes()
    private var payloads: [Data] = []
    private var progress = AnimationProgress<WebPFrameSource>(format: .webP)

    init(options: ImageDecodeOptions) { self.options = options }

    var isFinished: Bool { !payloads.isEmpty && (options.decodesFirstFrameOnly || isHidden) }

    /// Whether EXIF data after the frames may contain an orientation, so that nothing can be shown before.
    private var isHidden: Bool { options.appliesOrientation && reader?.mayBeTurned == true }

    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        pending.append(newBytes)
        while !isFinished {
            try options.checkCancellation()
            guard try pending.read(format: .webP, readChunk) else { break }
        }
        guard let container = reader?.container, payloads.count > progress.shownCount, !isHidden else { return nil }
        return try progress.image(
            of: WebPFrameSource(container, payloads: payloads), loopCount: container.loopCount, options: options)
    }

    private func readChunk(_ bytes: inout ByteReader) throws(WebImageError) {
        guard reader != nil else {
            return reader = try WebPReader(&bytes, limits: options.limits)
        }
        try Self.checkIsWhole(bytes)
        try reader?.readChunk(&bytes)
        if let frames = reader?.container.frames, let frame = frames.last, frames.count > payloads.count {
            payloads.append(bytes.data[in: frame.dataRange].withUnsafeBytes { Data($0) })
        }
    }

    /// Throws unless the next chunk is complete, with its padding.
    private static func checkIsWhole(_ bytes: ByteReader) throws(WebImageError) {
        var bytes = bytes
        try bytes.skip(4)
        let length = try bytes.littleEndian(bytes: 4)
        try bytes.skip(length + length & 1)
    }
}
