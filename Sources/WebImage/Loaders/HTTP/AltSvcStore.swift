import CCurl
import FoundationEssentials

/// The alternative services of one downloader's hosts, and the file that remembers them. Belongs to the transfer
/// thread.
///
/// Not libcurl's own (CURLOPT_ALTSVC): that reads and writes its file with each handle, obeys servers without a valid
/// certificate, and fails where the other place does not answer.
final class AltSvcStore {
    private var table = AltSvcTable()
    /// Places that did not answer, until when, in seconds since 1970, they are not asked.
    private var broken: [AlternativeService: Int] = [:]
    private let file: SharedTextFile?
    private var hasWarned = false

    /// Seconds for which a place that did not answer is not asked.
    static let breakTime = 300

    /// - Parameter path: Empty for memory only. A file that is not there is made.
    init(path: String) throws(WebImageError) {
        file = path.isEmpty ? nil : SharedTextFile(path: path, contents: .alternatives)
        if let file { table = AltSvcTable(text: try file.read()) }
    }

    /// The place that is asked for `url`; nil for its own host.
    func service(for url: URL, at now: Date = Date()) -> AlternativeService? {
        guard !table.isEmpty, let origin = AltSvcTable.Origin(url) else { return nil }
        let now = now.wholeSeconds
        let entry = table[origin].first { entry in
            entry.expiry > now && broken[entry.service, default: 0] <= now && entry.service.version.isSupported
        }
        return entry?.service
    }

    /// The place does not answer, or serves another host: for some minutes it is not asked.
    func disuse(_ service: AlternativeService, at now: Date = Date()) {
        broken[service] = now.wholeSeconds + Self.breakTime
    }

    /// Notes the places in a response of a server with a valid certificate. Before this returns, the file has them.
    func note(_ response: HTTPResponse, at now: Date = Date()) {
        guard let field = response.headers["alt-svc"], let origin = AltSvcTable.Origin(response.url),
            let offers = AltSvcField(field, host: origin.host)?.offers
        else { return }
        let now = now.wholeSeconds
        let entries = offers.filter { $0.maxAge > 0 }.map { offer in
            AltSvcTable.Entry(service: offer.service, expiry: now + offer.maxAge, persists: offer.persists)
        }
        guard isNews(entries, of: origin, at: now) else { return }
        table[origin] = entries
        if let file { save(in: file, origin, at: now) }
    }

    /// Each answer renews the places. The file is behind by a tenth of the time at most, and by a day.
    private func isNews(_ entries: [AltSvcTable.Entry], of origin: AltSvcTable.Origin, at now: Int) -> Bool {
        let known = table[origin]
        return known.map(\.service) != Array(entries.map(\.service).prefix(AltSvcTable.mostPlaces))
            || zip(known, entries).contains { abs($0.expiry - $1.expiry) > min(($1.expiry - now) / 10, 86_400) }
    }

    /// The load goes on where that fails, with a warning.
    private func save(in file: SharedTextFile, _ origin: AltSvcTable.Origin, at now: Int) {
        let entries = table[origin]
        var merged = AltSvcTable()
        do throws(WebImageError) {
            try file.update { text in
                merged = AltSvcTable(text: text)
                merged[origin] = entries
                return merged.text(at: now)
            }
            table = merged
        } catch {
            if !hasWarned { WebImageLog.warn(error.reason) }
            hasWarned = true
        }
    }
}

extension AlternativeService.Version {
    /// Whether the installed libcurl speaks it.
    fileprivate var isSupported: Bool {
        switch self {
        case .http1: true
        case .http2: webimage_curl_has_http2() != 0
        case .http3: webimage_curl_has_http3() != 0
        }
    }
}
