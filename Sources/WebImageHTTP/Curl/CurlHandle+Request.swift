import CCurl
import FoundationEssentials
import WebImageCore

extension CurlHandle {
    /// Sets the method and the body of the request.
    func set(method: String, body: Data?) throws(WebImageError) {
        guard method.isToken else { throw .method(method) }
        switch method {
        case "GET" where body == nil: return
        case "HEAD": return try set(CURLOPT_NOBODY, 1)
        // libcurl continues with GET where a redirect requires it (RFC 9110 §15.4), but not with a custom method.
        case "POST": try set(CURLOPT_POST, 1)
        default: try set(CURLOPT_CUSTOMREQUEST, method)
        }
        if body != nil || method == "POST" { try set(body: body ?? Data()) }
    }

    /// Sends the credential to the first server once that requests one (RFC 9110 §11.6), or signs the request with it at
    /// once. Without a credential, the one in a redirect's address is used in the first way.
    func set(_ credential: DownloadCredential?) throws(WebImageError) {
        if let signature = credential?.signature {
            try set(CURLOPT_AWS_SIGV4, "aws:amz:\(signature.region):\(signature.service)")
        } else {
            try set(CURLOPT_HTTPAUTH, webimage_curl_auth_when_challenged)
        }
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
