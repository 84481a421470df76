import FoundationEssentials
import Synchronization

/// Decodes one JPEG file as it comes. Any thread; callers take turns.
final class JPEGProgressiveDecoder: ProgressiveImageDecoder {
    private enum State {
        case new
        case decoding(IncomingJPEG)
        /// Everything has been shown, or nothing ever will be.
        case finished
    }

    private let options: ImageDecodeOptions
    private let state = Mutex(State.new)

    init(options: ImageDecodeOptions) { self.options = options }

    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        try state.withLock { state throws(WebImageError) in
            do throws(WebImageError) {
                return try Self.advance(&state, by: newBytes, options)
            } catch {
                state = .finished
                throw error
            }
        }
    }

    private static func advance(
        _ state: inout State, by newBytes: Data, _ options: ImageDecodeOptions
    ) throws(WebImageError) -> Image? {
        let file: IncomingJPEG
        switch state {
        case .new: file = try IncomingJPEG(options: options)
        case .decoding(let current): file = current
        case .finished: return nil
        }
        try file.append(newBytes)
        let image = try file.look()
        state = file.isFinished ? .finished : .decoding(file)
        return image
    }
}
