import FoundationEssentials
import WebImageCore

/// An incomplete GIF file: the rows of its first frame, then its complete frames. Belongs to one thread at a time.
final class IncomingGIF: IncomingFile {
    private let options: ImageDecodeOptions
    private var reader: GIFReader
    /// Unread bytes: less than a block.
    private var pending = PendingBytes()
    private var first: GrowingGIFFrame?
    private var progress = AnimationProgress<GIFFrameSource>(format: .gif)

    init(options: ImageDecodeOptions) {
        self.options = options
        reader = GIFReader(limits: options.limits)
    }

    var isFinished: Bool {
        reader.isAtEnd || (options.decodesFirstFrameOnly && !reader.contents.frames.isEmpty)
    }

    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        pending.append(newBytes)
        while !isFinished {
            try options.checkCancellation()
            let frameCount = reader.contents.frames.count
            let isRead = try pending.read(format: .gif) { bytes throws(WebImageError) in try reader.readBlock(&bytes) }
            guard isRead else { break }
            if reader.contents.frames.count > frameCount { reader.keepLastFrame() }
        }
        return try look()
    }

    private func look() throws(WebImageError) -> Image? {
        guard reader.contents.frames.isEmpty else {
            first = nil
            let contents = reader.contents
            guard contents.frames.count > progress.shownCount else { return nil }
            return try progress.image(
                of: GIFFrameSource(contents), loopCount: contents.loopCount(countsPlays: options.countsPlaysOfGIF),
                options: options)
        }
        var bytes = pending.reader(format: .gif)
        guard let frame = try reader.frameToCome(&bytes) else { return nil }
        if first == nil { first = try GrowingGIFFrame(frame, of: reader.contents, options: options) }
        return try first?.image(of: bytes.data[in: bytes.offset..<bytes.end])
    }
}
