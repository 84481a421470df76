import FoundationEssentials
import Synchronization
import WebImageCoders
import WebImageCore

extension IsolatedCoder: AnimatedImageCoder {
    package func makeAnimation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider {
        var options = options
        options.decodesFirstFrameOnly = false
        let frames = IsolatedFrames(data, by: self, options: options, size: FrameSize(nil))
        let (message, canvas) = try Self.retrying { _ throws(WebImageError) -> (AnimationMessage, PixelSize) in
            (try frames.open(within: options), try frames.canvas(within: options))
        }
        return animation(message, of: data, canvas: canvas, frameSize: FrameSize(nil), options: options)
    }

    /// The frames of a file, decoded by workers that live as long as frames are wanted.
    ///
    /// - Parameter canvas: The size of the picture in the file.
    func animation(
        _ message: AnimationMessage, of data: Data, canvas: PixelSize, frameSize: FrameSize, options: ImageDecodeOptions
    ) -> SequentialAnimation {
        // Frames come when the load has long ended.
        let options = options.uninterrupted
        return SequentialAnimation(
            durations: message.durations, loopCount: message.loopCount, data: message.keepsFile ? data : nil,
            decoderByteCount: min(canvas.area, IsolatedFrames.largestArea) * IsolatedFrames.bytesPerPixel,
            options: options
        ) { () throws(WebImageError) in
            IsolatedFrames(data, by: self, options: options, size: frameSize, expected: message)
        }
    }
}

/// The size of all frames of an animation, which the first one decides: pictures on a view do not change it.
final class FrameSize: Sendable {
    private let size: Mutex<PixelSize?>

    init(_ size: PixelSize?) { self.size = Mutex(size) }

    func require(_ new: PixelSize) throws(WebImageError) {
        let isRight = size.withLock { size in
            size = size ?? new
            return size == new
        }
        guard isRight else { throw .impossibleReply("the size of a frame") }
    }
}

/// The frames of an animation from one worker, which begins with the first. Belongs to one thread at a time.
private final class IsolatedFrames: WholeFrameDecoder {
    /// As much as the library that takes the most.
    static let bytesPerPixel = 64
    /// Beyond any that is decoded; the size of a canvas is only a worker's word.
    static let largestArea = 1 << 36

    private let data: Data
    private let coder: IsolatedCoder
    private let options: ImageDecodeOptions
    private let size: FrameSize
    /// The description of the file from an earlier look.
    private let expected: AnimationMessage?
    private var worker: WorkerSession?
    private var next = 0

    init(
        _ data: Data, by coder: IsolatedCoder, options: ImageDecodeOptions, size: FrameSize,
        expected: AnimationMessage? = nil
    ) {
        self.data = data
        self.coder = coder
        self.options = options
        self.size = size
        self.expected = expected
    }

    func nextFrame(options: ImageDecodeOptions) throws(WebImageError) -> Bitmap {
        let (worker, message) = try IsolatedCoder.retrying { _ throws(WebImageError) in try ask(within: options) }
        try size.require(message.size)
        next += 1
        return try worker.bitmap(message)
    }

    private func ask(within options: ImageDecodeOptions) throws(WebImageError) -> (WorkerSession, BitmapMessage) {
        do throws(WebImageError) {
            if worker == nil { _ = try open(within: options) }
            guard let worker, case .frame(let message) = try worker.ask(.frame(next), within: options) else {
                throw .impossibleReply("another answer")
            }
            return (worker, message)
        } catch {
            if error.mayBeOfAnotherPicture { worker = nil }
            throw error
        }
    }

    func seek(to index: Int) -> Int {
        next = index
        return index
    }

    /// Starts the worker, and asks what the file has.
    func open(within options: ImageDecodeOptions) throws(WebImageError) -> AnimationMessage {
        try options.checkCancellation()
        let worker = try WorkerSession(coder, limits: options.limits, answersOften: true)
        try worker.open(try OutgoingBytes(data, from: coder.source))
        guard case .animation(let message) = try worker.ask(.animate(self.options), within: options),
            message == expected ?? message
        else { throw .impossibleReply("another answer") }
        self.worker = worker
        return message
    }

    /// The size of the picture in the file, once it is open.
    func canvas(within options: ImageDecodeOptions) throws(WebImageError) -> PixelSize {
        guard let worker,
            case .properties(let properties?) = try worker.ask(
                .properties(isComplete: true, self.options), within: options)
        else { throw .impossibleReply("another answer") }
        return properties.pixelSize
    }
}
