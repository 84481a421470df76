import FoundationEssentials
import WebImageCore

/// A load after the downloader's settings and the request modifier are applied.
final class PreparedLoad: Sendable {
    let key: TransferKey
    /// The address of the request, without user and password, and with the one spelling of its host.
    let url: URL
    /// The address that the load was started with; its errors name this address.
    let requestedURL: URL
    let priority: LoadPriority
    let timeout: Duration?
    let reportsData: Bool
    let partialBody: PartialBody?
    let keepPartialBody: (@Sendable (PartialBody) -> Void)?
    let responseModifier: (any DownloadResponseModifier)?
    /// nil for libcurl.
    let operation: (any DownloadOperation)?
    let decryptor: (any DownloadDecryptor)?
    let decryptorIdentity: CollaboratorIdentity

    /// Calls the request modifier. Fails when that refuses the request, or when its result cannot be sent to a server.
    init(_ request: ImageLoadRequest, settings: DownloaderSettings) throws(WebImageError) {
        let outgoing = try Self.outgoing(request, settings: settings)
        // A request modifier may have replaced the URL.
        let isModified = request.requestModifier != nil || settings.requestModifier != nil
        let (url, ownCredential) = try outgoing.url.checkedForHTTP().withPlainHost.separatingCredential()
        key = TransferKey(
            url: url.absoluteString.withoutFragment, method: outgoing.method,
            headers: outgoing.validators.overlaid(by: outgoing.headers),
            body: outgoing.body, credential: outgoing.credential ?? ownCredential ?? settings.config.credential,
            usesCookies: outgoing.usesCookies, allowsInvalidCertificates: outgoing.allowsInvalidCertificates,
            responseModifier: isModified || request.responseModifier != nil
                ? CollaboratorIdentity(outgoing.responseModifier) : settings.responseModifierIdentity,
            operation: settings.operationIdentity)
        self.url = url
        requestedURL = request.url
        priority = outgoing.priority
        timeout = outgoing.timeout
        reportsData = outgoing.reportsData
        partialBody = outgoing.validators.isEmpty && outgoing.method == "GET" ? outgoing.partialBody : nil
        keepPartialBody = outgoing.keepPartialBody
        responseModifier = outgoing.responseModifier
        operation = settings.operation
        decryptor = outgoing.decryptor
        decryptorIdentity =
            isModified || request.decryptor != nil
            ? CollaboratorIdentity(outgoing.decryptor) : settings.decryptorIdentity
    }

    /// The request as it is sent.
    var sentRequest: SentRequest {
        SentRequest(url: url, method: key.method, headers: key.headers, usesCookies: key.usesCookies)
    }

    /// The method of the request that is sent for `request`.
    static func method(of request: ImageLoadRequest, settings: DownloaderSettings) -> String {
        guard request.requestModifier != nil || settings.requestModifier != nil else { return request.method }
        return (try? outgoing(request, settings: settings))?.method ?? request.method
    }

    private static func outgoing(
        _ request: ImageLoadRequest, settings: DownloaderSettings
    ) throws(WebImageError) -> ImageLoadRequest {
        var outgoing = request
        outgoing.headers = settings.headers.overlaid(by: request.headers)
        outgoing.responseModifier = request.responseModifier ?? settings.responseModifier
        outgoing.decryptor = request.decryptor ?? settings.decryptor
        guard let modifier = request.requestModifier ?? settings.requestModifier else { return outgoing }
        guard var modified = modifier.modify(outgoing) else { throw .refusedByRequestModifier }
        // A modifier may use other letter cases in names: the fields that it has set count.
        let changed = modified.headers.filter { outgoing.headers[$0.key] != $0.value }
        modified.headers = modified.headers.overlaid(by: changed)
        return modified
    }
}

extension URL {
    /// The URL, if it is a valid one of http or https.
    func checkedForHTTP() throws(WebImageError) -> URL {
        guard hasScheme("http", "https") else { throw .unsupportedScheme(self) }
        // libcurl would take the first part of the path for the host.
        guard let host = host(), !host.isEmpty else {
            throw .invalidAddress("it names no host; write http://host/path")
        }
        let byteCount = absoluteString.utf8.count
        guard byteCount <= Self.longestAddress else {
            throw .invalidAddress(
                "an address of \(byteCount) bytes is longer than the \(Self.longestAddress) that can be asked; shorten it"
            )
        }
        return self
    }

    /// libcurl builds requests of up to 1 MiB (DYN_HTTP_REQUEST); this leaves room for the header fields.
    private static let longestAddress = 1_000_000

    /// The URL without user and password, and these. So libcurl, whose versions differ in that, does not choose between
    /// two credentials.
    package func separatingCredential() -> (URL, DownloadCredential?) {
        guard absoluteString.withUTF8Bytes({ $0.has(UInt8(ascii: "@")) }), let user = user(percentEncoded: false),
            var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return (self, nil) }
        let password = password(percentEncoded: false) ?? ""
        components.user = nil
        components.password = nil
        let isEmpty = user.isEmpty && password.isEmpty
        return (components.url ?? self, isEmpty ? nil : DownloadCredential(user: user, password: password))
    }
}

extension WebImageError {
    fileprivate static let refusedByRequestModifier = WebImageError(
        .invalidDownloadOperation, stage: .request, kind: .policy,
        reason: "the request modifier gave no request; return one where the load is wanted")
}
