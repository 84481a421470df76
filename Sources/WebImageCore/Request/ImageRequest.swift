import FoundationEssentials

/// A URL with the settings that go with it, for lists of pictures that are loaded alike or each in its own way.
///
/// ```swift
/// let requests = urls.map { ImageRequest($0, options: .lowPriority, context: thumbnails) }
/// let image = try await WebImageManager.shared.image(for: requests[0])
/// ```
public struct ImageRequest: Sendable {
    /// The picture's address; a load of nil fails with ``WebImageError/Code/invalidURL``.
    public var url: URL?
    /// The options of the load.
    public var options: WebImageOptions
    /// The load's settings.
    public var context: WebImageContext

    /// A request for the picture at `url`.
    public init(_ url: URL?, options: WebImageOptions = [], context: WebImageContext = WebImageContext()) {
        self.url = url
        self.options = options
        self.context = context
    }
}
