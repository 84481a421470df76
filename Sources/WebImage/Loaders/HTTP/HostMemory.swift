/// The memory that one downloader has of hosts: their cookies, which of them want https, and where else they are
/// served. Belongs to the transfer thread.
///
/// Each part is made when the first load needs it, with the settings of that time.
final class HostMemory {
    private var jar: CurlCookieJar?
    private var strict: HSTSStore?
    private var alternatives: AltSvcStore?

    /// The request as it is sent: by https, if its host wants that, and to the place that serves the host best.
    func routed(
        _ request: OutgoingRequest, of load: PreparedLoad, _ config: WebImageDownloaderConfig
    ) throws(WebImageError) -> OutgoingRequest {
        var request = try strictHosts(config).secured(request.toOwnHost)
        // A load that accepts any certificate would accept any place. An operation connects by itself.
        guard let path = config.altSvcFile, !load.key.allowsInvalidCertificates, load.operation == nil else {
            return request
        }
        let service = try alternatives(path).service(for: request.url)
        if let service { request.send(to: service) }
        return request
    }

    func strictHosts(_ config: WebImageDownloaderConfig) throws(WebImageError) -> HSTSStore {
        if let strict { return strict }
        let store = try HSTSStore(path: config.hstsFile)
        strict = store
        return store
    }

    private func alternatives(_ path: String) throws(WebImageError) -> AltSvcStore {
        if let alternatives { return alternatives }
        let store = try AltSvcStore(path: path)
        alternatives = store
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
        if http.exchange is CurlExchange { alternatives?.note(response) }
    }

    func disuse(_ service: AlternativeService) { alternatives?.disuse(service) }
}
