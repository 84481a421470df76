import FoundationEssentials
import Synchronization
import WebImage

/// Decodes one JPEG XL file as it comes. Any thread; callers take turns.
final class JXLProgressiveDecoder: ProgressiveImageDecoder {
    private enum State {
        case new
        case decoding(IncomingJXL)
        /// Everything has been shown, or nothing ever will be.
        case finished
    }

    private let options: ImageDecodeOptions
    private let state: Mutex<State>

    init(options: ImageDecodeOptions) {
        self.options = options
        state = Mutex(options.showsParts ? .new : .finished)
    }

    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        try state.withLock { state throws(WebImageError) in
            let file: IncomingJXL
            switch state {
            case .new: file = try IncomingJXL(options: options)
            case .decoding(let current): file = current
            case .finished: return nil
            }
            state = .finished
            let image = try file.append(newBytes)
            if !file.isFinished { state = .decoding(file) }
            return image
        }
    }
}
