import Foundation

/// The certificates of an HTTPS ``LoopbackOrigin``. For tests only: the server's key is public.
public enum TestCertificates {
    /// The path of the authority's certificate (PEM) for clients to trust: curl's `CURLOPT_CAINFO`.
    public static var authorityPath: String { path("authority.pem") }

    /// The paths of the server's certificate and key (PEM), for separate server programs.
    package static var serverCertificatePath: String { path("server.pem") }
    package static var serverKeyPath: String { path("server-key.pem") }

    /// - Parameter certificatePath: Another certificate for the server's key, with those of its issuers behind it; nil for
    ///   the usual one.
    static func identity(
        certificatePath: String? = nil, asksForClientCertificate: Bool = false
    ) throws(OriginError) -> OriginDaemon.Identity {
        OriginDaemon.Identity(
            key: try text(serverKeyPath), certificate: try text(certificatePath ?? serverCertificatePath),
            clientAuthority: asksForClientCertificate ? try text(authorityPath) : nil)
    }

    private static func path(_ name: String) -> String {
        Bundle.module.bundleURL.appending(path: "Certificates").appending(path: name).path
    }

    private static func text(_ path: String) throws(OriginError) -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw OriginError(description: "the origin could not start: its certificate is not at \(path)")
        }
    }
}
