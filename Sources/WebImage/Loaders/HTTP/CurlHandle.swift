import CCurl
import FoundationEssentials

/// A libcurl easy handle, for one request. Belongs to the transfer thread; nothing here may be touched from another.
///
/// Handles are not kept for the next request. Making one is no dearer than resetting one; connections belong to the multi
/// handle anyway; and libcurl leaves its buffer with those that spoke HTTP/2 or were taken out before they had a
/// connection, which then refuse CURLOPT_BUFFERSIZE for good.
final class CurlHandle {
    let pointer: UnsafeMutableRawPointer
    private let message: UnsafeMutablePointer<CChar>

    init() throws(WebImageError) {
        try CurlLibrary.start()
        guard let pointer = curl_easy_init() else { throw .curl("libcurl has no memory for a request") }
        self.pointer = pointer
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try set(CURLOPT_ERRORBUFFER, pointer: message)
    }

    deinit {
        curl_easy_cleanup(pointer)
        message.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) throws(WebImageError) {
        try check(webimage_curl_set_long(pointer, option, value), option)
    }

    /// Sets a text, which libcurl copies; nil takes it away.
    func set(_ option: CURLoption, _ value: String?) throws(WebImageError) {
        try check(webimage_curl_set_string(pointer, option, value), option)
    }

    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) throws(WebImageError) {
        try check(webimage_curl_set_pointer(pointer, option, value), option)
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

    /// What libcurl says about the failure, more exact than its code; empty when it said nothing.
    var errorMessage: String { String(cString: message) }

    var statusCode: Int { long(CURLINFO_RESPONSE_CODE) }

    var redirectCount: Int { long(CURLINFO_REDIRECT_COUNT) }

    /// The body's length on the wire; nil when the server did not announce it.
    var contentLength: Int? {
        var value: curl_off_t = -1
        let result = webimage_curl_get_offset(pointer, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &value)
        return result == CURLE_OK && value >= 0 ? Int(value) : nil
    }

    /// The address asked last, after redirects.
    var effectiveURL: String? {
        var value: UnsafePointer<CChar>?
        guard webimage_curl_get_string(pointer, CURLINFO_EFFECTIVE_URL, &value) == CURLE_OK else { return nil }
        return value.map { String(cString: $0) }
    }

    private func long(_ info: CURLINFO) -> Int {
        var value = 0
        return webimage_curl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    private func check(_ result: CURLcode, _ option: CURLoption) throws(WebImageError) {
        guard result != CURLE_OK else { return }
        throw .curl("libcurl refused option \(option.rawValue): \(String(cString: curl_easy_strerror(result)))")
    }
}

/// Header fields in libcurl's form.
final class CurlHeaderList {
    private(set) var first: UnsafeMutablePointer<curl_slist>?
    /// Whether they ask for a part of the body.
    let namesRange: Bool

    /// Fails when a name or a value could be taken for the end of its line: what follows would be a forged field.
    init(_ fields: [String: String]) throws(WebImageError) {
        namesRange = fields.keys.contains { $0.lowercased() == "range" }
        for (name, value) in fields {
            guard name.isFieldName, value.isFieldValue else { throw .headerField(name) }
            // To libcurl "Name:" means "do not send it" and "Name;" "send it empty".
            let line = value.isEmpty ? "\(name);" : "\(name): \(value)"
            guard let longer = curl_slist_append(first, line) else {
                throw .curl("libcurl has no memory for header fields")
            }
            first = longer
        }
    }

    deinit { curl_slist_free_all(first) }
}

extension String {
    /// A token of RFC 9110 §5.6.2.
    fileprivate var isFieldName: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    fileprivate var isFieldValue: Bool { utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 } }
}

extension WebImageError {
    /// libcurl could not be made to do what was asked: its memory, its build or its version.
    static func curl(_ reason: String) -> WebImageError {
        WebImageError(.invalidDownloadOperation, stage: .request, kind: .transient, reason: reason)
    }

    fileprivate static func headerField(_ name: String) -> WebImageError {
        WebImageError(
            .invalidDownloadOperation, stage: .request, kind: .permanent,
            reason: "the header field \"\(name.abbreviated(to: 60).debugDescription.dropFirst().dropLast())\" "
                + "has characters that HTTP forbids in a field; remove them")
    }
}
