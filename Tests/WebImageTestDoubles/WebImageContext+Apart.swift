import WebImageCore

extension WebImageContext {
    /// Is itself and nothing else.
    private final class Mark: Sendable {}

    private enum MarkKey: Key {
        typealias Value = Mark
    }

    /// Lets a load go its way beside others of the same picture, which it would join otherwise: it asks for the very same,
    /// but by a context that is like no other.
    mutating func goApart() { self[MarkKey.self] = Mark() }

    /// The same settings for a load that does not join others.
    var apart: WebImageContext {
        var context = self
        context.goApart()
        return context
    }
}
