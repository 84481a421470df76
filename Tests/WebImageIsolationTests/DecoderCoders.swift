import WebImageCore
import WebImageDecoder
import WebImageIsolation

/// The coders of all formats, as an app that decodes by itself has them.
enum DecoderCoders {
    static let all: [any ImageCoder] = DecoderKind.allCases.compactMap { $0 == .video ? nil : $0.coder }
}
