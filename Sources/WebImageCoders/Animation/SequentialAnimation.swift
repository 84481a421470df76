import FoundationEssentials
import Synchronization
import WebImageCore

/// An animation of a library that returns complete frames in order. Seeking costs as much as the
/// library's own seeking.
package typealias SequentialAnimation = CursorAnimation<SequentialCursor>

extension SequentialAnimation {
    /// - Parameters:
    ///   - milliseconds: The duration of each frame in the file; at least one.
    ///   - data: The file, for storing or encoding the animation.
    ///   - decoderByteCount: The approximate memory of one decoder, which limits the number of decoders in use.
    ///   - makeDecoder: Creates a decoder before its first frame.
    package convenience init(
        milliseconds: [Int], loopCount: Int, data: Data?, decoderByteCount: Int, options: ImageDecodeOptions,
        makeDecoder: @escaping SequentialCursor.MakeDecoder
    ) {
        self.init(
            durations: milliseconds.map(FrameDuration.played), loopCount: loopCount, data: data,
            decoderByteCount: decoderByteCount, options: options, makeDecoder: makeDecoder)
    }

    /// The same with durations that are played as they are: no video has some of a few milliseconds by accident.
    package convenience init(
        durations: [Duration], loopCount: Int, data: Data?, decoderByteCount: Int, options: ImageDecodeOptions,
        makeDecoder: @escaping SequentialCursor.MakeDecoder
    ) {
        self.init(
            SequentialCursor.Frames(makeDecoder: makeDecoder), durations: durations, loopCount: loopCount,
            data: data, options: options, cursors: CursorPool(cursorByteCount: decoderByteCount))
    }
}

/// One decoder, and its position.
package final class SequentialCursor: FrameCursor {
    package typealias MakeDecoder = @Sendable () throws(WebImageError) -> any WholeFrameDecoder

    package struct Frames: Sendable {
        let makeDecoder: MakeDecoder
    }

    private struct State {
        var decoder: (any WholeFrameDecoder)?
        /// The frame that the decoder returns next.
        var next = 0
        /// The last decoded frame.
        var last: Bitmap?
    }

    // Only the thread that took the cursor from the pool uses it: the lock is never contended.
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
            // After a failure the decoder's position is unknown.
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
