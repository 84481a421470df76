import CCurl

/// The version of libcurl at run time, for limits of its own that it has since some version.
enum CurlVersion {
    static func isAtLeast(_ major: Int, _ minor: Int) -> Bool {
        let numbers = String(cString: curl_version()).split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
        return !numbers.lexicographicallyPrecedes([major, minor])
    }
}
