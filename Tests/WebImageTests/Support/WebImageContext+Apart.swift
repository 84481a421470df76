import WebImage

extension WebImageContext {
    private enum Mark: Key {
        typealias Value = Bool
    }

    /// Lets a load go its way beside others of the same picture, which it would join otherwise: it asks for the very same,
    /// but by a context that was made for itself.
    mutating func goApart() { self[Mark.self] = true }

    /// The same settings for a load that goes its way beside others of the same picture.
    var apart: WebImageContext {
        var context = self
        context.goApart()
        return context
    }
}
