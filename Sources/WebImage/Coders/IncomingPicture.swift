import FoundationEssentials
import Synchronization

/// A file of which more is still to come, and what can be seen of it. Belongs to one thread at a time.
protocol IncomingPicture: AnyObject {
    init(options: ImageDecodeOptions) throws(WebImageError)

    /// Decodes as much as the next bytes allow.
    func append(_ data: Data) throws(WebImageError)

    /// The picture as it is; nil when there is nothing, or hardly anything, new to see.
    func look() throws(WebImageError) -> Image?

    /// Whether no more bytes are needed: the picture is complete, or will not be shown.
    var isFinished: Bool { get }
}

/// Decodes one file as it comes. Any thread; callers take turns.
final class IncomingPictureDecoder<Picture: IncomingPicture>: ProgressiveImageDecoder {
    private enum State {
        case new
        case decoding(Picture)
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
        let file: Picture
        switch state {
        case .new: file = try Picture(options: options)
        case .decoding(let current): file = current
        case .finished: return nil
        }
        try file.append(newBytes)
        let image = try file.look()
        state = file.isFinished ? .finished : .decoding(file)
        return image
    }
}
