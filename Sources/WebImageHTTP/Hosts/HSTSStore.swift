import FoundationEssentials
import WebImageCore

/// The hosts that have asked one downloader for https, and the file that remembers them. Belongs to the transfer thread.
///
/// Not libcurl's own (CURLOPT_HSTS): that reads and writes its file with each handle, obeys servers without a valid
/// certificate, and does not tell which address it has asked, on which the rules for redirects depend.
final class HSTSStore {
    private var table = HSTSTable()
    /// The table as it is in the file.
    private var saved = HSTSTable()
    /// The wishes that this downloader has learned since then, by host; nil for a wish that was taken back.
    private var changes: [String: HSTSTable.Entry?] = [:]
    private let file: SharedTextFile?
    private var hasWarned = false

    /// - Parameter path: nil for memory only. A file that is not there is made.
    init(path: String?) throws(WebImageError) {
        file = path.map { SharedTextFile(path: $0, contents: .strictHosts) }
        guard let file else { return }
        saved = HSTSTable(text: try file.read())
        table = saved
    }

    /// The address that is asked in place of `url`: the same by https, where its host wants that.
    func secured(_ url: URL, at now: Date = Date()) -> URL {
        guard !table.isEmpty, url.hasScheme("http"), let host = url.host(),
            table.isStrict(host, at: now.wholeSeconds)
        else { return url }
        return url.withHTTPS
    }

    func secured(_ request: OutgoingRequest) -> OutgoingRequest {
        guard !table.isEmpty, request.url.hasScheme("http") else { return request }
        var request = request
        request.url = secured(request.url)
        request.address = request.url.absoluteString
        return request
    }

    /// Notes the wish in a response of a server with a valid certificate. Before this returns, the file has it.
    func note(_ response: HTTPResponse, at now: Date = Date()) {
        guard let field = response.headers["strict-transport-security"], response.url.hasScheme("https"),
            let name = response.url.host().flatMap(HSTSTable.name(of:)), let policy = TransportSecurityPolicy(field)
        else { return }
        let entry =
            policy.maxAge == 0
            ? nil
            : HSTSTable.Entry(
                expiry: now.wholeSeconds + policy.maxAge, includesSubdomains: policy.includesSubdomains)
        if table.isFull { table.removeExpired(at: now.wholeSeconds) }
        table[name] = entry
        guard let file, entry.isWorthSaving(over: saved[name], maxAge: policy.maxAge) else { return }
        changes[name] = .some(entry)
        save(in: file, at: now.wholeSeconds)
    }

    /// The load goes on where that fails, with a warning.
    private func save(in file: SharedTextFile, at now: Int) {
        var merged = HSTSTable()
        do throws(WebImageError) {
            try file.update { text in
                merged = HSTSTable(text: text)
                for (name, entry) in changes { merged[name] = entry }
                return merged.text(at: now)
            }
        } catch {
            if !hasWarned { WebImageLog.warn(error.reason) }
            hasWarned = true
            return
        }
        (table, saved, changes) = (merged, merged, [:])
    }
}

extension HSTSTable.Entry? {
    /// Each answer renews the wish. The file is behind by a tenth of the time at most, and by a day.
    fileprivate func isWorthSaving(over old: Self, maxAge: Int) -> Bool {
        guard let new = self, let old else { return (self == nil) != (old == nil) }
        return new.includesSubdomains != old.includesSubdomains
            || abs(new.expiry - old.expiry) > min(maxAge / 10, 86_400)
    }
}

extension Date {
    var wholeSeconds: Int { Int(timeIntervalSince1970) }
}

extension URL {
    /// The address by https. Port 80 becomes that of https, any other stays (RFC 6797 §8.3).
    fileprivate var withHTTPS: URL {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        components.scheme = "https"
        if components.port == 80 { components.port = nil }
        return components.url ?? self
    }
}
