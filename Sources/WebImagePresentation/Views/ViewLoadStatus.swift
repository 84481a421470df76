/// The common status of a view's loads.
public enum ViewLoadStatus: String, Sendable, Hashable, CaseIterable {
    /// No load runs, and the last one was cancelled or had no URL; or there was none.
    case idle
    /// At least one load with a URL runs.
    case loading
    /// No load runs, and the last one ended with a picture.
    case loaded
    /// No load runs, and the last one failed.
    case failed
}
