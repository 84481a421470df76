import WebImageTesting

extension LoopbackOrigin {
    /// A server on which one path leads to another one, where `text` is.
    static func redirecting(_ path: String, to target: String, _ text: String) throws -> LoopbackOrigin {
        let origin = try LoopbackOrigin()
        origin.serve(path, .redirect(to: target))
        origin.serve(target, .text(text))
        return origin
    }
}
