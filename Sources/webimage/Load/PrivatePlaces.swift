import FoundationEssentials
import Glibc
import WebImage
import WebImageCommandLine

/// The places that `--deny-private` refuses beside hosts: a stranger's list may name files of this machine.
struct PrivatePlaces: Sendable {
    let areDenied: Bool

    /// Standard input is no name, and so no stranger's.
    func check(_ url: URL) throws(WebImageError) {
        guard areDenied, url.hasScheme("file"), url != StandardInputLoader.url else { return }
        throw WebImageError(
            .accessDenied, stage: .load, kind: .policy,
            reason: "this is a file of this machine, and --deny-private loads from addresses of the internet only",
            url: url)
    }
}

/// The proxies that libcurl takes from the environment (CURLOPT_PROXY).
enum EnvironmentProxy {
    /// `HTTP_PROXY` is not among them: a client of a web server's CGI programs may set it.
    private static let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

    /// Whether there is one for any host.
    static var isSet: Bool {
        let isOff = ["no_proxy", "NO_PROXY"].contains { value(of: $0) == "*" }
        return !isOff && names.contains { value(of: $0)?.isEmpty == false }
    }

    private static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
