/// The permissions by which a load got a picture's bytes. The bytes keep them, in memory and on disk: only loads that
/// are allowed the same see the bytes, and all others load the picture anew.
///
/// Bytes with default rights, as of most loads and of pictures that an app stores, are seen by all loads.
public struct LoadRights: Sendable, Hashable {
    /// Whether the server's certificate was not checked; see ``WebImageOptions/allowInvalidSSLCertificates``.
    public var acceptsAnyCertificate = false
    /// A slow digest of the credential of the load, its URL or its loader (``ImageLoader/credential(for:)``), salted with user
    /// and host; 0, the default, without one.
    public var credential: UInt64 = 0
    /// A hash of the ``DownloadDecryptor/identifier`` of the load's decryptor; 0, the default, without one.
    public var decryptor: UInt64 = 0

    /// The rights of a load without any of them.
    public init() {}

    /// Whether a load with these rights may see bytes that were got with `others`.
    public func includes(_ others: LoadRights) -> Bool {
        (acceptsAnyCertificate || !others.acceptsAnyCertificate)
            && (others.credential == 0 || credential == others.credential)
            && (others.decryptor == 0 || decryptor == others.decryptor)
    }
}
