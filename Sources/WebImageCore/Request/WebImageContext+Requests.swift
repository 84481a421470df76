import FoundationEssentials

/// The settings of the request, and of the load as a whole.
extension WebImageContext {
    /// Other addresses of the same picture, such as mirrors or other sizes, in order of preference after the request's
    /// own; empty by default.
    ///
    /// The first one that is in memory is used, or else the first one on disk, or else the first one that loads. Each
    /// keeps the key of its own address: a load of that address alone finds it, too. A load of them all fails with
    /// ``WebImageError/Code/allSourcesFailed``.
    public var alternativeURLs: [URL] {
        get { read { $0.alternativeURLs } ?? [] }
        set { change { $0.alternativeURLs = newValue } }
    }

    /// A small picture that is delivered before the picture of the request, as ``LoadEvent/preview(_:)``, and which views
    /// show until that has come; nil, the default, for none. Loads that bring nothing but one result ignore it: prefetches,
    /// and the manager's `image(for:)` and `result(for:)`.
    public var preview: ImagePreview? {
        get { read { $0.preview } }
        set {
            // Most loads have none: their contexts keep the storage that they share.
            guard newValue != nil || preview != nil else { return }
            change { $0.preview = newValue }
        }
    }

    /// Header fields of the request, in addition to the downloader's own.
    public var httpHeaders: [String: String] {
        get { read { $0.httpHeaders } ?? [:] }
        set { change { $0.httpHeaders = newValue } }
    }

    /// The time without any progress after which loading fails; nil for the loader's default.
    public var timeout: Duration? {
        get { read { $0.timeout } }
        set { change { $0.timeout = newValue } }
    }

    /// Sent when the server requests it; nil for the downloader's.
    ///
    /// A picture that was loaded with a credential, also with that of its URL or the downloader, is found in caches by loads
    /// with the same one only; another user's load replaces it. Pictures that depend on ``httpHeaders`` or cookies are found by all loads of the same URL: give them
    /// separate keys, with ``cacheKeyFilter``, or another ``cache``.
    public var downloadCredential: DownloadCredential? {
        get { read { $0.downloadCredential } }
        set { change { $0.downloadCredential = newValue } }
    }

    /// Changes the request, instead of the downloader's modifier.
    public var downloadRequestModifier: (any DownloadRequestModifier)? {
        get { read { $0.downloadRequestModifier } }
        set { change { $0.downloadRequestModifier = newValue } }
    }

    /// Changes the response's head, instead of the downloader's modifier.
    public var downloadResponseModifier: (any DownloadResponseModifier)? {
        get { read { $0.downloadResponseModifier } }
        set { change { $0.downloadResponseModifier = newValue } }
    }

    /// Decrypts the body, instead of the downloader's decryptor.
    public var downloadDecryptor: (any DownloadDecryptor)? {
        get { read { $0.downloadDecryptor } }
        set { change { $0.downloadDecryptor = newValue } }
    }

    /// The cached picture that is being refreshed; set by the manager for loaders.
    public package(set) var loaderCachedImage: Image? {
        get { read { $0.loaderCachedImage } }
        set { change { $0.loaderCachedImage = newValue } }
    }

    /// Views: distinguishes the view's loads; a load cancels the previous one under the same key.
    public var operationKey: String? {
        get { read { $0.operationKey } }
        set { change { $0.operationKey = newValue } }
    }

    /// Receives every stage of this load, in addition to the manager's listeners.
    public var listener: (any LoadListener)? {
        get { read { $0.listener } }
        set { change { $0.listener = newValue } }
    }
}
