import CCurl

/// The version of libcurl at run time, for limits of its own that it has since some version.
enum CurlVersion {
    static func isAtLeast(_ major: Int, _ minor: Int) -> Bool {
        let numbers = String(cString: curl_version()).split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
        return !numbers.lexicographicallyPrecedes([major, minor])
    }

    /// Whether it waits for its time-out where a server breaks the rules of HTTP/2, which 8.5 does.
    static var waitsForBrokenServers: Bool { isAtLeast(8, 5) && !isAtLeast(8, 6) }

    /// Whether the library under it sends the weights of HTTP/2, which nghttp2 1.65 and newer do not.
    static var sendsWeights: Bool {
        guard let version = String(cString: curl_version()).firstMatch(of: /nghttp2\/1\.([0-9]+)/) else { return false }
        return Int(version.output.1).map { $0 < 65 } ?? false
    }
}
