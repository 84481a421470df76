import FoundationEssentials
import WebImageCore

/// Decides about the loads of a manager. Called on any thread.
public protocol WebImageManagerDelegate: AnyObject, Sendable {
    /// Whether a picture that is in no cache, or that is to be refreshed, may be loaded. True by default.
    func shouldDownloadImage(for url: URL) -> Bool
    /// Whether a URL that failed with `error` fails at once from now on; nil, the default, leaves the decision to the
    /// loader.
    func shouldBlockFailedURL(_ url: URL, error: WebImageError) -> Bool?
}

extension WebImageManagerDelegate {
    /// True.
    public func shouldDownloadImage(for url: URL) -> Bool { true }
    /// Leaves the decision to the loader.
    public func shouldBlockFailedURL(_ url: URL, error: WebImageError) -> Bool? { nil }
}
