import FoundationEssentials
import Synchronization
import WebImageCoders
import WebImageCore

extension IsolatedCoder: ProgressiveImageCoder {
    package func canDecodeProgressively(_ data: Data) -> Bool { kind.isProgressive && canDecode(data) }

    package func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder {
        IsolatedProgressiveDecoder(self, options: options)
    }
}

/// A worker's decoder of a file that arrives: the worker lives until the decoder, and the frames that it has shown, are no
/// longer used. Any thread, one at a time.
private final class IsolatedProgressiveDecoder: ProgressiveImageDecoder {
    private enum State {
        case new
        case decoding(PartialFile)
        case ended
    }

    private let coder: IsolatedCoder
    private let options: ImageDecodeOptions
    private let state: Mutex<State>

    init(_ coder: IsolatedCoder, options: ImageDecodeOptions) {
        self.coder = coder
        self.options = options
        // Nothing is looked at on the way; no worker is needed for that.
        state = Mutex(options.showsParts || options.decodesPreview ? .new : .ended)
    }

    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        try state.withLock { state throws(WebImageError) in
            do throws(WebImageError) {
                return try advance(&state, by: newBytes)
            } catch {
                state = .ended
                throw error
            }
        }
    }

    private func advance(_ state: inout State, by newBytes: Data) throws(WebImageError) -> Image? {
        let file: PartialFile
        switch state {
        case .ended: return nil
        case .decoding(let begun): file = begun
        case .new:
            file = try PartialFile(coder, options: options)
            state = .decoding(file)
        }
        return try file.update(newBytes)
    }
}

/// The worker of a file that arrives. Any thread: one shows more of the file, others its frames.
private final class PartialFile: Sendable {
    private let worker: Mutex<WorkerSession>
    private let source: any WorkerSource
    private let options: ImageDecodeOptions

    init(_ coder: IsolatedCoder, options: ImageDecodeOptions) throws(WebImageError) {
        let worker = try WorkerSession(coder, limits: options.limits, answersOften: true)
        try worker.tell(.begin(coder.kind, options))
        self.worker = Mutex(worker)
        source = coder.source
        self.options = options
    }

    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        let bytes = try OutgoingBytes(newBytes, from: source)
        let (message, bitmap) = try worker.withLock { worker throws(WebImageError) -> (ImageMessage?, Bitmap?) in
            let reply = try worker.ask(.update(bytes.sent), with: bytes.descriptors, within: options)
            guard case .image(let message) = reply else { return (nil, nil) }
            return (message, try worker.bitmap(message.bitmap))
        }
        guard let message, let bitmap else { return nil }
        let animation = message.animation.map { PartialFrames($0, of: self, size: bitmap.size, options: options) }
        return Image(bitmap, message, animation: animation, options: options)
    }

    func frame(at index: Int, within options: ImageDecodeOptions) throws(WebImageError) -> Bitmap {
        try worker.withLock { worker throws(WebImageError) in
            guard case .frame(let message) = try worker.ask(.frame(index), within: options) else {
                throw .impossibleReply("another answer")
            }
            return try worker.bitmap(message)
        }
    }
}

/// The frames that have arrived of a file.
private final class PartialFrames: AnimatedImageProvider {
    private let message: AnimationMessage
    private let file: PartialFile
    private let size: FrameSize
    private let options: ImageDecodeOptions
    private let decoded = DecodedFrames()

    init(_ message: AnimationMessage, of file: PartialFile, size: PixelSize, options: ImageDecodeOptions) {
        self.message = message
        self.file = file
        self.size = FrameSize(size)
        self.options = options.uninterrupted
    }

    var frameCount: Int { message.durations.count }
    var loopCount: Int { message.loopCount }
    var isAllFramesLoaded: Bool { decoded.areLoaded }

    func frame(at index: Int) throws(WebImageError) -> Bitmap {
        guard message.durations.indices.contains(index) else { throw .noFrame(index, of: frameCount) }
        if let bitmap = decoded[index] { return bitmap }
        let bitmap = try file.frame(at: index, within: options)
        try size.require(bitmap.size)
        return bitmap
    }

    func duration(at index: Int) -> Duration {
        message.durations.indices.contains(index) ? message.durations[index] : .zero
    }

    func preloadAllFrames() {
        decoded.load(count: frameCount, maximumPixelCount: options.limits.maximumPixelCount) {
            index throws(WebImageError) in try frame(at: index)
        }
    }

    func unloadAllFrames() { decoded.unload() }
}
