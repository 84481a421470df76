import CCurl

/// The cookies of one downloader, in memory, for the handles that use them. Belongs to the transfer thread; since no
/// other thread uses it, libcurl needs no lock functions.
final class CurlCookieJar {
    let pointer: UnsafeMutableRawPointer

    init() throws(WebImageError) {
        try CurlLibrary.start()
        guard let pointer = curl_share_init() else { throw .curl("libcurl has no memory for cookies") }
        self.pointer = pointer
        let result = webimage_curl_share_set_data(pointer, CURL_LOCK_DATA_COOKIE)
        guard result == CURLSHE_OK else {
            curl_share_cleanup(pointer)
            throw .curl("libcurl cannot keep cookies: \(String(cString: curl_share_strerror(result)))")
        }
    }

    /// The handles that use the jar retain it, so that none is left here.
    deinit { curl_share_cleanup(pointer) }
}
