import WebImageCore

/// The choice of the coders that decode the files of a manager's coders.
package protocol DecoderChoice: Sendable {
    /// - Parameter coders: In ascending order of precedence, like the result. They may be an app's own.
    func decoders(for coders: [any ImageCoder]) -> [any ImageCoder]

    /// The coder that decodes in place of one that is chosen for a picture; often that coder itself.
    func decoder(inPlaceOf coder: any ImageCoder) -> any ImageCoder
}

/// One of the library's own coders, in whose place a process of its own may decode.
package protocol BundledCoder: ImageCoder {}
