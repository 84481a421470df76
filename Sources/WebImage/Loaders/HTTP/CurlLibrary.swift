import CCrypto
import CCurl

/// What must happen once per process before libcurl is used.
enum CurlLibrary {
    private static let result: CURLcode = {
        // OpenSSL would tear its tables down at exit(), under a transfer that still runs.
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    }()

    static func start() throws(WebImageError) {
        guard result == CURLE_OK else {
            throw .curl("libcurl did not start: \(String(cString: curl_easy_strerror(result)))")
        }
    }
}
