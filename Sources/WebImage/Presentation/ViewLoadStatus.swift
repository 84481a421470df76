/// What can be said of a view's loads together.
package enum ViewLoadStatus: String, Sendable, Hashable, CaseIterable {
    /// Nothing runs, and the last load was cancelled or had no URL; or there was none.
    case idle
    /// At least one load with a URL runs.
    case loading
    /// Nothing runs, and the last load that ended brought a picture.
    case loaded
    /// Nothing runs, and the last load that ended brought none.
    case failed
}
