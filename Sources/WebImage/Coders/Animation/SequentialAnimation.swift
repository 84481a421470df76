import FoundationEssentials
import Synchronization

/// An animation of a library that gives whole frames one after the other (AVIF, HEIF, JPEG XL). Another order than forward
/// costs what the library's own search does.
package typealias SequentialAnimation = CursorAnimation<SequentialCursor>

extension SequentialAnimation {
    /// - Parameters:
    ///   - milliseconds: How long each frame is shown, as the file says; at least one.
    ///   - data: The file, for whoever stores or encodes the animation.
    ///   - decoderByteCount: About what one decoder takes, which bounds how many work at the same time.
    ///   - makeDecoder: A decoder that is before its first frame.
    package convenience init(
        milliseconds: [Int], loopCount: Int, data: Data?, decoderByteCount: Int, options: ImageDecodeOptions,
        makeDecoder: @escaping SequentialCursor.MakeDecoder
    ) {
        self.init(
            SequentialCursor.Frames(makeDecoder: makeDecoder), milliseconds: milliseconds, loopCount: loopCount,
            data: data, options: options, cursors: CursorPool(cursorByteCount: decoderByteCount))
    }
}

/// One decoder, and how far it has come.
package final class SequentialCursor: FrameCursor {
    package typealias MakeDecoder = @Sendable () throws(WebImageError) -> any WholeFrameDecoder

    package struct Frames: Sendable {
        let makeDecoder: MakeDecoder
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

    package init() {}

    package func cost(of index: Int, in frames: Frames) -> Int {
        state.withLock { state in
            if state.last != nil, state.next == index + 1 { return 0 }
            return state.next <= index ? index - state.next + 1 : index + 1
        }
    }

    package func bitmap(at index: Int, in frames: Frames, options: ImageDecodeOptions) throws(WebImageError) -> Bitmap {
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
