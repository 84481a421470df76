import FoundationEssentials
import Synchronization
import WebImageCore

/// An incomplete file and its visible part. Belongs to one thread at a time.
package protocol IncomingFile: AnyObject {
    init(options: ImageDecodeOptions) throws(WebImageError)

    /// Whether there is work before the file is complete, even without partial pictures.
    static func isOfUse(_ options: ImageDecodeOptions) -> Bool

    /// Whether more bytes would show nothing more: the picture is complete, or cannot be shown.
    var isFinished: Bool { get }

    /// Decodes the next bytes; returns a picture where there is more to show than before.
    func update(_ newBytes: Data) throws(WebImageError) -> Image?
}

extension IncomingFile {
    package static func isOfUse(_ options: ImageDecodeOptions) -> Bool { options.showsParts }
}

/// Decodes one file as it arrives, up to ``ImageLimits/maximumByteCount``. Any thread, one at a time.
package final class IncomingFileDecoder<File: IncomingFile>: ProgressiveImageDecoder {
    private enum State {
        case new
        /// - byteCount: The number of bytes so far.
        case decoding(File, byteCount: Int)
        /// Everything has been shown, or nothing can be.
        case finished
    }

    private let options: ImageDecodeOptions
    private let state: Mutex<State>

    package init(options: ImageDecodeOptions) {
        self.options = options
        state = Mutex(File.isOfUse(options) ? .new : .finished)
    }

    package func update(_ newBytes: Data) throws(WebImageError) -> Image? {
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
        var byteCount = newBytes.count
        let file: File
        switch state {
        case .new: file = try File(options: options)
        case .decoding(let current, let count): (file, byteCount) = (current, count + byteCount)
        case .finished: return nil
        }
        guard byteCount <= options.limits.maximumByteCount else { throw .tooManyBytes(byteCount, options.limits) }
        let image = try file.update(newBytes)
        state = file.isFinished ? .finished : .decoding(file, byteCount: byteCount)
        return image
    }
}
