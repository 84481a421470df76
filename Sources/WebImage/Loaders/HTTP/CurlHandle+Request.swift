import CCurl
import FoundationEssentials

extension CurlHandle {
    /// Sets what is asked for, and what is sent with it.
    func set(method: String, body: Data?) throws(WebImageError) {
        guard method.isToken else { throw .method(method) }
        switch method {
        case "GET" where body == nil: return
        case "HEAD": return try set(CURLOPT_NOBODY, 1)
        // libcurl goes on with GET where a redirect asks for it (RFC 9110 §15.4), but not with a custom method.
        case "POST": try set(CURLOPT_POST, 1)
        default: try set(CURLOPT_CUSTOMREQUEST, method)
        }
        if body != nil || method == "POST" { try set(body: body ?? Data()) }
    }

    /// Lets the server that is asked have the credential once it has asked for one (RFC 9110 §11.6). Without one, the same
    /// holds for what the address of a redirect names.
    func set(_ credential: DownloadCredential?) throws(WebImageError) {
        try set(CURLOPT_HTTPAUTH, webimage_curl_auth_when_challenged())
        guard let credential else { return }
        try set(CURLOPT_USERNAME, credential.user)
        try set(CURLOPT_PASSWORD, credential.password)
    }
}

extension WebImageError {
    fileprivate static func method(_ method: String) -> WebImageError {
        WebImageError(
            .invalidDownloadOperation, stage: .request, kind: .permanent,
            reason: "\(method.abbreviated(to: 60).debugDescription) is no HTTP method; write GET or another token")
    }
}
