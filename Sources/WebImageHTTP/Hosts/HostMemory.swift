import WebImageCore

/// The memory that one downloader has of hosts: their cookies, and which of them want https. Belongs to the transfer
/// thread.
///
/// Each part is made when the first load needs it, with the settings of that time.
final class HostMemory {
    private var jar: CurlCookieJar?
    private var strict: HSTSStore?

    func strictHosts(_ config: WebImageDownloaderConfig) throws(WebImageError) -> HSTSStore {
        if let strict { return strict }
        let store = try HSTSStore(path: config.hstsFile)
        strict = store
        return store
    }

    /// nil for a load without cookies.
    func cookieJar(
        for key: TransferKey, _ config: WebImageDownloaderConfig
    ) throws(WebImageError) -> CurlCookieJar? {
        guard key.usesCookies, !key.headers.hasField("cookie") else { return nil }
        if let jar { return jar }
        let made = try CurlCookieJar(file: config.cookieFile)
        jar = made
        return made
    }

    func saveCookies() { jar?.save() }

    /// Notes what the server of an exchange that has ended wants to be remembered.
    func note(_ http: HTTPTransfer, _ key: TransferKey) {
        guard let response = http.receivedResponse, !key.allowsInvalidCertificates else { return }
        strict?.note(response)
    }
}
