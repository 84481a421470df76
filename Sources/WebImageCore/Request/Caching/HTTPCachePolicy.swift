/// How long the answers of HTTP servers are kept in the caches and used from there.
///
/// By default a picture is used from a cache until it is removed there, whatever its server said, as in SDWebImage; only
/// what a server forbids to store gets no file. With ``http`` the server decides.
public struct HTTPCachePolicy: Sendable, Hashable {
    /// Whether the server decides by the rules of HTTP, for a private cache: RFC 9111, with RFC 5861 (`stale-while-revalidate`,
    /// `stale-if-error`) and RFC 8246 (`immutable`). Default false.
    ///
    /// A fresh picture is used without asking. A stale one is used after the server has said that it is current; while it is
    /// asked (``LoadEvent/cached(_:)``) only where the server allows that; if it fails, see ``showsStaleOnErrors``. What
    /// may not be stored is in no tier. The fields of the original decide about its thumbnails, too: their own files are used only together with
    /// the original that they were made of. Pictures that do not come from HTTP are used until they are removed.
    ///
    /// The `Cache-Control` and `Range` fields of the request count, too (``WebImageContext/httpHeaders``). Caches answer
    /// requests with GET only. A load whose request modifier changes the fields that a server distinguishes needs
    /// ``WebImageOptions/fromLoaderOnly``.
    public var followsServer = false
    /// With ``followsServer``: the part of the time since its last change for which a picture is fresh whose server gives no
    /// lifetime (RFC 9111 §4.2.2); 0 to 1, 0.1 by default, a week at most. 0: it is stale at once.
    public var heuristicFraction = 0.1 {
        didSet { heuristicFraction = heuristicFraction.isNaN ? 0 : min(max(0, heuristicFraction), 1) }
    }
    /// With ``followsServer``: whether a stale picture is shown where its server cannot be reached, or fails (500, 502, 503,
    /// 504), and has said nothing about that. Default true, which RFC 9111 §4.2.4 allows a disconnected cache. Where the server
    /// has said for how long (`stale-if-error`), or that it must be asked (`must-revalidate`, `no-cache`), that counts.
    public var showsStaleOnErrors = true
    /// Whether a picture whose server forbids to store it (`Cache-Control: no-store`) is nevertheless written to the disk,
    /// as SDWebImage does. Default false: it is in memory only. Without effect
    /// with ``followsServer``.
    public var ignoresNoStore = false

    /// Pictures are used until they are removed.
    public init() {}

    /// The server decides; see ``followsServer``.
    public static let http: HTTPCachePolicy = {
        var policy = HTTPCachePolicy()
        policy.followsServer = true
        return policy
    }()
}
