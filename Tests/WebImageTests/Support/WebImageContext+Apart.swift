import WebImage

extension WebImageContext {
    private enum Mark: Key {
        typealias Value = Bool
    }

    /// Prevents a load from joining others of the same picture: the request is the same, but its context is another
    /// object.
    mutating func goApart() { self[Mark.self] = true }

    /// The same settings for a load that does not join others.
    var apart: WebImageContext {
        var context = self
        context.goApart()
        return context
    }
}
