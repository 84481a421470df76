import FoundationEssentials
import WebImageCore

/// An incomplete animated PNG: its complete frames. Belongs to one thread at a time.
final class IncomingAPNG: IncomingFile {
    private let options: ImageDecodeOptions
    private var reader: APNGReader
    /// Unread bytes: less than a chunk.
    private var pending = PendingBytes()
    private var progress = AnimationProgress<APNGFrameSource>(format: .png)

    init(options: ImageDecodeOptions) {
        self.options = options
        reader = APNGReader(limits: options.limits)
    }

    var isFinished: Bool { reader.isAtEnd }

    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        pending.append(newBytes)
        while !isFinished {
            try options.checkCancellation()
            let isRead = try pending.read(format: .png) { bytes throws(WebImageError) in try reader.readChunk(&bytes) }
            guard isRead else { break }
            reader.keepLastChunk()
        }
        guard let contents = reader.contents, contents.frames.count > progress.shownCount else { return nil }
        return try progress.image(of: APNGFrameSource(contents), loopCount: contents.loopCount, options: options)
    }
}
