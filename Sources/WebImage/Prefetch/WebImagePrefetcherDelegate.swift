import FoundationEssentials

/// Hears of everything that a prefetcher gets, on the callback queue of the call that asked for it.
///
/// The counts are those of all calls under way together: they fall when one of several has ended.
public protocol WebImagePrefetcherDelegate: AnyObject, Sendable {
    /// A picture has ended, in whatever way; called before the progress handler of its call.
    ///
    /// - Parameter url: The picture's address; nil when its request had none.
    func imagePrefetcher(
        _ imagePrefetcher: WebImagePrefetcher, didPrefetch url: URL?, finishedCount: Int, totalCount: Int)

    /// The last call under way has ended or was cancelled; called before its completion. The counts are of that call:
    /// those before it have ended already.
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
