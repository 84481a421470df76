/// How long the answers of HTTP servers are kept in the caches and used from there.
///
/// By default a picture is used from a cache until it is removed there, whatever its server said, as in SDWebImage; only
/// what a server forbids to store gets no file. With ``http`` the server decides.
public struct HTTPCachePolicy: Sendable, Hashable {
    /// Whether a picture whose server forbids to store it (`Cache-Control: no-store`) is nevertheless written to the disk,
    /// as SDWebImage does. Default false: it is in memory only.
    public var ignoresNoStore = false

    /// Pictures are used until they are removed.
    public init() {}
}
