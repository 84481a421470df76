import FoundationEssentials
import WebImageCore

/// Requests with equal keys are the same. Means something only as long as the settings live.
// A class: it goes through many hands, and holds a handful of references.
final class SharedLoadKey: Hashable, Sendable {
    private let url: URL
    private let requestedURL: URL?
    private let options: WebImageOptions
    private let context: WebImageContext.Identity
    private let settings: ObjectIdentifier
    /// Computed once: hashing a URL takes time.
    private let hash: Int

    /// nil for a load that is not shared: one that refreshes a picture, that blocks its caller, or about which a
    /// delegate decides.
    init?(_ request: ImageRequest, requestedURL: URL?, settings: LoadSettings) {
        guard let url = request.url?.withoutFragment, !settings.hasDelegate,
            request.options.isDisjoint(with: [.refreshCached, .queryDiskDataSync, .queryMemoryDataSync])
        else { return nil }
        self.url = url
        self.requestedURL = requestedURL
        options = request.options
        context = request.context.identity
        self.settings = ObjectIdentifier(settings)
        var hasher = Hasher()
        hasher.combine(url)
        hasher.combine(options)
        hasher.combine(context)
        hash = hasher.finalize()
    }

    static func == (lhs: SharedLoadKey, rhs: SharedLoadKey) -> Bool {
        lhs === rhs
            || lhs.url == rhs.url && lhs.requestedURL == rhs.requestedURL && lhs.options == rhs.options
                && lhs.settings == rhs.settings && lhs.context == rhs.context
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
