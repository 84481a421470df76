import CCurl
import WebImageCore

/// The global initialization of libcurl, once per process.
enum CurlLibrary {
    private static let result: CURLcode = {
        OpenSSL.start()
        return curl_global_init(webimage_curl_global_default)
    }()

    static func start() throws(WebImageError) {
        guard result == CURLE_OK else {
            throw .curl("libcurl did not start: \(String(cString: curl_easy_strerror(result)))")
        }
    }
}
