import CCurl
import FoundationEssentials
import WebImageCore

/// A libcurl easy handle, for one request. Belongs to the transfer thread; no other thread may use it.
///
/// Handles are not reused. Creating one costs no more than resetting one, and connections belong to the multi handle.
/// Also, libcurl keeps the buffer of handles that used HTTP/2 or were removed before they had a connection; these then
/// refuse CURLOPT_BUFFERSIZE for good.
final class CurlHandle {
    let pointer: UnsafeMutableRawPointer
    private var cookieJar: CurlCookieJar?
    private let message: UnsafeMutablePointer<CChar>

    init() throws(WebImageError) {
        try CurlLibrary.start()
        guard let pointer = curl_easy_init() else { throw .curl("libcurl has no memory for a request") }
        self.pointer = pointer
        message = .allocate(capacity: webimage_curl_error_size)
        message.initialize(repeating: 0, count: webimage_curl_error_size)
        try set(CURLOPT_ERRORBUFFER, pointer: message)
    }

    deinit {
        curl_easy_cleanup(pointer)
        message.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) throws(WebImageError) {
        try check(webimage_curl_set_long(pointer, option, value), option)
    }

    /// Sets a text, which libcurl copies; nil resets the option.
    func set(_ option: CURLoption, _ value: String?) throws(WebImageError) {
        try check(webimage_curl_set_string(pointer, option, value), option)
    }

    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) throws(WebImageError) {
        try check(webimage_curl_set_pointer(pointer, option, value), option)
    }

    /// Sets the body of the request, which libcurl copies, whatever the method.
    func set(body: Data) throws(WebImageError) {
        try check(
            webimage_curl_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)),
            CURLOPT_POSTFIELDSIZE_LARGE)
        let result = body.withUnsafeBytes { bytes in
            // An empty body has no address, and libcurl takes a null address for "read the body from a callback".
            guard let base = bytes.baseAddress, !bytes.isEmpty else {
                return webimage_curl_set_string(pointer, CURLOPT_COPYPOSTFIELDS, "")
            }
            return webimage_curl_set_pointer(
                pointer, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: base))
        }
        try check(result, CURLOPT_COPYPOSTFIELDS)
    }

    /// Sends the cookies of `jar`, and stores there the cookies of the server.
    func use(_ jar: CurlCookieJar) throws(WebImageError) {
        try set(CURLOPT_SHARE, pointer: jar.pointer)
        // Names no file, but enables cookies.
        try set(CURLOPT_COOKIEFILE, "")
        cookieJar = jar
    }

    /// The list must live until the request has ended.
    func set(headers: CurlHeaderList) throws(WebImageError) {
        try check(webimage_curl_set_list(pointer, CURLOPT_HTTPHEADER, headers.first), CURLOPT_HTTPHEADER)
    }

    func set(
        _ option: CURLoption, callback: @escaping webimage_curl_data_callback
    ) throws(WebImageError) {
        try check(webimage_curl_set_data_callback(pointer, option, callback), option)
    }

    func set(requestCallback: @escaping webimage_curl_request_callback) throws(WebImageError) {
        try check(webimage_curl_set_request_callback(pointer, requestCallback), CURLOPT_PREREQFUNCTION)
    }

    func set(socketCallback: @escaping webimage_curl_socket_callback) throws(WebImageError) {
        try check(webimage_curl_set_socket_callback(pointer, socketCallback), CURLOPT_OPENSOCKETFUNCTION)
    }

    func set(resolverCallback: @escaping webimage_curl_resolver_callback) throws(WebImageError) {
        try check(
            webimage_curl_set_resolver_callback(pointer, resolverCallback), CURLOPT_RESOLVER_START_FUNCTION)
    }

    func set(closeCallback: @escaping webimage_curl_close_callback) throws(WebImageError) {
        try check(webimage_curl_set_close_callback(pointer, closeCallback), CURLOPT_CLOSESOCKETFUNCTION)
    }

    /// libcurl's description of the failure, more exact than its code; may be empty.
    var errorMessage: String { String(cString: message) }

    var statusCode: Int { long(CURLINFO_RESPONSE_CODE) }

    /// The body's length on the wire; nil when the server did not announce it.
    var contentLength: Int? {
        let length = offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        return length >= 0 ? length : nil
    }

    /// The bytes of the body on the wire so far, those included that libcurl discards.
    var wireByteCount: Int { max(0, offset(CURLINFO_SIZE_DOWNLOAD_T)) }

    /// The connections that were made for the request.
    var connectionCount: Int { long(CURLINFO_NUM_CONNECTS) }

    /// The numeric address of the other side; nil without a connection.
    var remoteAddress: String? {
        var value: UnsafePointer<CChar>?
        guard webimage_curl_get_string(pointer, CURLINFO_PRIMARY_IP, &value) == CURLE_OK, let value else { return nil }
        return value.pointee == 0 ? nil : String(cString: value)
    }

    func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = -1
        return webimage_curl_get_offset(pointer, info, &value) == CURLE_OK ? Int(value) : -1
    }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        return webimage_curl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    func check(_ result: CURLcode, _ option: CURLoption) throws(WebImageError) {
        guard result != CURLE_OK else { return }
        throw .curl("libcurl refused option \(option.rawValue): \(String(cString: curl_easy_strerror(result)))")
    }
}

extension WebImageError {
    /// libcurl refused an operation, for lack of memory or because of its build or version.
    static func curl(_ reason: String) -> WebImageError {
        WebImageError(.invalidDownloadOperation, stage: .request, kind: .transient, reason: reason)
    }
}
