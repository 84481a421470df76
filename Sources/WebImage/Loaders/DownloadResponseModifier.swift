/// Changes the head of a server's answer before anybody looks at it: status, fields.
public protocol DownloadResponseModifier: Sendable {
    /// The head to use in place of `response`; nil fails the load with
    /// ``WebImageError/Code/invalidDownloadResponse``. Called on the transfer thread, so it must be quick.
    func modify(_ response: HTTPResponse) -> HTTPResponse?
}
