import CCurl
import WebImageCore

extension CurlHandle {
    /// All cookies, each as a line of Netscape's format.
    var cookieLines: [[UInt8]] {
        var first: UnsafeMutablePointer<curl_slist>?
        guard webimage_curl_get_list(pointer, CURLINFO_COOKIELIST, &first) == CURLE_OK else { return [] }
        defer { curl_slist_free_all(first) }
        let all = sequence(first: first) { $0?.pointee.next }.prefix { $0 != nil }
        return all.compactMap { $0?.pointee.data.map { text in Array(String.bytes(of: text)) } }
    }

    /// Adds a cookie: a line of Netscape's format, or a header field.
    func add(cookie line: some Sequence<UInt8>) throws(WebImageError) {
        let text = line.map { CChar(bitPattern: $0) } + [0]
        try check(webimage_curl_set_string(pointer, CURLOPT_COOKIELIST, text), CURLOPT_COOKIELIST)
    }
}

extension String {
    /// The bytes of a C string, in any encoding.
    fileprivate static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
        sequence(first: text) { $0 + 1 }.lazy.map { UInt8(bitPattern: $0.pointee) }.prefix { $0 != 0 }.map { $0 }
    }
}
