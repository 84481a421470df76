import Testing
import WebImageCoders
import WebImageIsolation

/// Decoders in processes of their own, as an app has them for the pictures of strangers.
package enum DecoderProcesses {
    /// Decodes all formats, which need not be linked.
    package static let coders: ImageCodersManager = {
        let manager = ImageCodersManager(coders: [])
        manager.isolation = .all
        return manager
    }()

    /// The coder of a format.
    package static func coder(_ kind: DecoderKind) -> IsolatedCoder { IsolatedCoder(kind: kind, source: source) }

    private static let source = DecoderPrograms.of(.all)
}

extension Trait where Self == ConditionTrait {
    /// For suites and tests whose pictures are decoded by `webimage-decoder`.
    package static var needsDecoderProcesses: Self {
        .disabled(if: Sanitizer.isActive, "a sanitizer's own code needs more system calls than decoding")
    }
}
