import FoundationEssentials
import WebImageCore

/// An incomplete WebP file, still or animated: its first chunk tells which. Belongs to one thread at a time.
final class IncomingWebP: IncomingFile {
    private enum Kind {
        case unknown(Data)
        case still(IncomingStillWebP)
        case animated(IncomingAnimatedWebP)

        var file: (any IncomingFile)? {
            switch self {
            case .unknown: nil
            case .still(let file): file
            case .animated(let file): file
            }
        }
    }

    private let options: ImageDecodeOptions
    private var kind = Kind.unknown(Data())

    init(options: ImageDecodeOptions) { self.options = options }

    var isFinished: Bool { kind.file?.isFinished ?? false }

    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        guard case .unknown(let begun) = kind else { return try kind.file?.update(newBytes) }
        let head = begun + newBytes
        switch WebPReader.isAnimated(head) {
        case nil:
            kind = .unknown(head)
            return nil
        case true?: kind = .animated(IncomingAnimatedWebP(options: options))
        case false?: kind = .still(IncomingStillWebP(options: options))
        }
        return try kind.file?.update(head)
    }
}
