import FoundationEssentials
import Synchronization

/// A file of which more is still to come. Belongs to one thread at a time.
protocol IncomingFile: AnyObject {
    /// Whether more bytes would show nothing more.
    var isFinished: Bool { get }

    /// Takes the next bytes; a picture where there is more to see than before.
    func update(_ newBytes: Data) throws(WebImageError) -> Image?
}

/// Decodes one file as it comes. Any thread; callers take turns.
final class IncomingFileDecoder<File: IncomingFile>: ProgressiveImageDecoder {
    /// nil when everything has been shown, or nothing more will be.
    private let file: Mutex<File?>

    init(_ file: sending File, options: ImageDecodeOptions) { self.file = Mutex(options.showsParts ? file : nil) }

    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        try file.withLock { file throws(WebImageError) in
            guard let current = file else { return nil }
            do throws(WebImageError) {
                let image = try current.update(newBytes)
                if current.isFinished { file = nil }
                return image
            } catch {
                file = nil
                throw error
            }
        }
    }
}
