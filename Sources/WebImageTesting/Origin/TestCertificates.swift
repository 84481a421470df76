import Foundation

/// The certificates by which a ``LoopbackOrigin`` speaks HTTPS. For tests only: its key is public.
public enum TestCertificates {
    /// The path of the authority's certificate (PEM), for clients to trust: curl's `CURLOPT_CAINFO`.
    public static var authorityPath: String { path("authority.pem") }

    static func identity() throws(OriginError) -> OriginDaemon.Identity {
        OriginDaemon.Identity(key: try text("server-key.pem"), certificate: try text("server.pem"))
    }

    private static func path(_ name: String) -> String {
        Bundle.module.bundleURL.appending(path: "Certificates").appending(path: name).path
    }

    private static func text(_ name: String) throws(OriginError) -> String {
        do {
            return try String(contentsOfFile: path(name), encoding: .utf8)
        } catch {
            throw OriginError(description: "the origin could not start: its certificate is not at \(path(name))")
        }
    }
}
