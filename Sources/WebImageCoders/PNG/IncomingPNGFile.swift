import FoundationEssentials
import WebImageCore

/// An incomplete PNG file, still or animated: the chunks before the pixels tell which. Belongs to one thread at a time.
final class IncomingPNGFile: IncomingFile {
    private enum Kind {
        case unknown
        case still(IncomingPNG)
        case animated(IncomingAPNG)
    }

    private let options: ImageDecodeOptions
    private var head = IncomingPNGHead()
    private var kind = Kind.unknown

    init(options: ImageDecodeOptions) { self.options = options }

    var isFinished: Bool {
        switch kind {
        case .unknown: false
        case .still(let file): file.isFinished
        case .animated(let file): file.isFinished
        }
    }

    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        switch kind {
        case .still(let file): return try file.update(newBytes)
        case .animated(let file): return try file.update(newBytes)
        case .unknown:
            guard let contents = try head.append(newBytes, options: options) else { return nil }
            let isAnimated = contents.animation != nil && !options.decodesFirstFrameOnly
            kind =
                isAnimated
                ? .animated(IncomingAPNG(options: options)) : .still(try IncomingPNG(contents, options: options))
            let begun = head.bytes
            head = IncomingPNGHead()
            return try update(begun)
        }
    }
}
