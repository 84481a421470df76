/// Which coders decode the files of a manager's coders.
package protocol DecoderChoice: Sendable {
    /// - Parameter coders: In ascending order of precedence, like the result. They may be an app's own.
    func decoders(for coders: [any ImageCoder]) -> [any ImageCoder]
}

/// One of the library's own coders, in whose place a process of its own may decode.
package protocol BundledCoder: ImageCoder {}
