/// What is asked of a server, and what goes with a load.
extension WebImageContext {
    /// Header fields to send with the request, beside the downloader's own.
    public var httpHeaders: [String: String] {
        get { read { $0.httpHeaders } ?? [:] }
        set { change { $0.httpHeaders = newValue } }
    }

    /// Seconds without any progress after which loading fails; nil takes the loader's default.
    public var timeout: Double? {
        get { read { $0.timeout } }
        set { change { $0.timeout = newValue } }
    }

    /// Sent when the server asks for it; nil takes the downloader's.
    ///
    /// Transfers are told apart by it, the caches are not: what one user's credential fetched is found by all who load the
    /// same URL. Give pictures that not everyone may see names of their own, by ``cacheKeyFilter``, or another
    /// ``imageCache``. The same goes for ``httpHeaders`` and for cookies.
    public var downloadCredential: DownloadCredential? {
        get { read { $0.downloadCredential } }
        set { change { $0.downloadCredential = newValue } }
    }

    /// Changes the request, in place of the downloader's modifier.
    public var downloadRequestModifier: (any DownloadRequestModifier)? {
        get { read { $0.downloadRequestModifier } }
        set { change { $0.downloadRequestModifier = newValue } }
    }

    /// Changes the answer's head, in place of the downloader's modifier.
    public var downloadResponseModifier: (any DownloadResponseModifier)? {
        get { read { $0.downloadResponseModifier } }
        set { change { $0.downloadResponseModifier = newValue } }
    }

    /// Decrypts the body, in place of the downloader's decryptor.
    public var downloadDecryptor: (any DownloadDecryptor)? {
        get { read { $0.downloadDecryptor } }
        set { change { $0.downloadDecryptor = newValue } }
    }

    /// The picture in the cache that is being refreshed; set by the manager for loaders.
    public internal(set) var loaderCachedImage: Image? {
        get { read { $0.loaderCachedImage } }
        set { change { $0.loaderCachedImage = newValue } }
    }

    /// Views: tells the view's loads apart; one that begins cancels the one before it under the same key.
    public var setImageOperationKey: String? {
        get { read { $0.setImageOperationKey } }
        set { change { $0.setImageOperationKey = newValue } }
    }

    /// Hears of every stage of this load, beside the manager's listeners.
    public var listener: (any LoadListener)? {
        get { read { $0.listener } }
        set { change { $0.listener = newValue } }
    }
}
