import FoundationEssentials

/// Notified of all prefetching, on the callback queue of each call.
///
/// The counts are totals over all running calls: they fall when one of several has ended.
public protocol WebImagePrefetcherDelegate: AnyObject, Sendable {
    /// A picture has ended, with or without success; called before the progress handler of its call.
    ///
    /// - Parameter url: The picture's address; nil when its request had none.
    func imagePrefetcher(
        _ imagePrefetcher: WebImagePrefetcher, didPrefetch url: URL?, finishedCount: Int, totalCount: Int)

    /// The last running call has ended or was cancelled; called before its completion. The counts are those of this
    /// call: earlier ones have ended already.
    func imagePrefetcher(
        _ imagePrefetcher: WebImagePrefetcher, didFinishWithTotalCount totalCount: Int, skippedCount: Int)
}

extension WebImagePrefetcherDelegate {
    /// Does nothing.
    public func imagePrefetcher(
        _ imagePrefetcher: WebImagePrefetcher, didPrefetch url: URL?, finishedCount: Int, totalCount: Int
    ) {}

    /// Does nothing.
    public func imagePrefetcher(
        _ imagePrefetcher: WebImagePrefetcher, didFinishWithTotalCount totalCount: Int, skippedCount: Int
    ) {}
}
