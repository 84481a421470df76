/// Changes the head of a server's answer before anybody looks at it: status, fields.
///
/// Loads share a transfer only where they have one and the same modifier, which only a class can be; the answers to loads
/// whose modifier is a value are loaded for each.
public protocol DownloadResponseModifier: Sendable {
    /// The head to use in place of `response`: acceptable or not, decryptor and result go by it. Nil fails the load with
    /// ``WebImageError/Code/invalidDownloadResponse``. Called on the transfer thread, so it must be quick.
    func modify(_ response: HTTPResponse) -> HTTPResponse?
}
