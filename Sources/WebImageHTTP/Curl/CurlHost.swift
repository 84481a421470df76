import CCurl

/// libcurl's own reading of the host of an address, which is what it connects to.
enum CurlHost {
    /// Without percent-encoding, an address of IPv4 as four decimal numbers, and an international name in its form for the
    /// DNS, where the process's locale lets libcurl find that; nil for what is no host.
    static func name(of host: String) -> String? {
        guard let address = curl_url() else { return nil }
        defer { curl_url_cleanup(address) }
        guard curl_url_set(address, CURLUPART_URL, "http://\(host)/", 0) == CURLUE_OK else { return nil }
        return part(of: address, UInt32(CURLU_PUNYCODE)) ?? part(of: address, 0)
    }

    private static func part(of address: OpaquePointer, _ flags: UInt32) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(address, CURLUPART_HOST, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(validatingCString: text)
    }
}
