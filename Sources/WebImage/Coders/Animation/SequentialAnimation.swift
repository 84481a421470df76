import FoundationEssentials
import Synchronization

/// An animation of a library that gives whole frames one after the other (AVIF, HEIF, JPEG XL). Playing forward decodes
/// one frame for each that is shown.
package final class SequentialAnimation: AnimatedImageProvider {
    package typealias MakeDecoder = @Sendable () throws(WebImageError) -> any WholeFrameDecoder

    package let loopCount: Int
    package let animatedImageData: Data?
    private let frames: CursorAnimation<SequentialCursor>

    /// - Parameters:
    ///   - milliseconds: How long each frame is shown, as the file says; at least one.
    ///   - data: The file, for whoever stores or encodes the animation.
    ///   - decoderByteCount: About what one decoder takes, which bounds how many work at the same time.
    ///   - makeDecoder: A decoder that is before its first frame.
    package init(
        milliseconds: [Int], loopCount: Int, data: Data?, decoderByteCount: Int, options: ImageDecodeOptions,
        makeDecoder: @escaping MakeDecoder
    ) {
        self.loopCount = loopCount
        animatedImageData = data
        frames = CursorAnimation(
            SequentialCursor.Frames(makeDecoder: makeDecoder),
            durations: milliseconds.map(FrameDuration.seconds), options: options,
            cursors: CursorPool(cursorByteCount: decoderByteCount))
    }

    package var frameCount: Int { frames.durations.count }
    package var isAllFramesLoaded: Bool { frames.areAllLoaded }

    package func frame(at index: Int) throws(WebImageError) -> Bitmap { try frames.frame(at: index) }

    /// The same for somebody who may lose interest.
    package func frame(at index: Int, cancellation: CancellationFlag?) throws(WebImageError) -> Bitmap {
        try frames.frame(at: index, cancellation: cancellation)
    }

    package func duration(at index: Int) -> Double { frames.duration(at: index) }
    package func preloadAllFrames() { frames.loadAll() }
    package func unloadAllFrames() { frames.unloadAll() }
}

/// One decoder, and how far it has come.
final class SequentialCursor: FrameCursor {
    struct Frames: Sendable {
        let makeDecoder: SequentialAnimation.MakeDecoder
    }

    private struct State {
        var decoder: (any WholeFrameDecoder)?
        /// The frame that the decoder gives next.
        var next = 0
        /// The frame that was decoded last.
        var last: Bitmap?
    }

    // Only whoever took the cursor out of the pool looks into it: nobody ever waits for this lock.
    private let state = Mutex(State())

    func cost(of index: Int, in frames: Frames) -> Int {
        state.withLock { state in
            if state.last != nil, state.next == index + 1 { return 0 }
            return state.next <= index ? index - state.next + 1 : index + 1
        }
    }

    func bitmap(at index: Int, in frames: Frames, options: ImageDecodeOptions) throws(WebImageError) -> Bitmap {
        try state.withLock { state throws(WebImageError) in
            if let last = state.last, state.next == index + 1 { return last }
            let decoder: any WholeFrameDecoder
            if let used = state.decoder { decoder = used } else { decoder = try frames.makeDecoder() }
            var next = state.next
            // After a failure nobody knows where the decoder stands.
            state = State()
            if next != index { next = try decoder.seek(to: index) }
            var bitmap = try decoder.nextFrame(options: options)
            while next < index {
                try options.checkCancellation()
                bitmap = try decoder.nextFrame(options: options)
                next += 1
            }
            state = State(decoder: decoder, next: index + 1, last: bitmap)
            return bitmap
        }
    }
}
