/// Another place that serves a host (RFC 7838 §2).
struct AlternativeService: Hashable {
    /// With curl's names.
    enum Version: String {
        case http1 = "h1"
        case http2 = "h2"
        case http3 = "h3"

        /// By the name in ALPN, where a slash may be escaped.
        init?(protocolName: String) {
            switch protocolName {
            case "http/1.1", "http%2F1.1", "http%2f1.1", "h1": self = .http1
            case "h2": self = .http2
            case "h3": self = .http3
            default: return nil
            }
        }
    }

    let version: Version
    /// In lower case; an address of IPv6 in brackets.
    let host: String
    let port: Int

    var authority: String { "\(host):\(port)" }
}

/// The value of an `Alt-Svc` field (RFC 7838 §3): the places to use from now on, the best one first.
struct AltSvcField {
    struct Offer: Equatable {
        let service: AlternativeService
        /// Seconds.
        var maxAge = 86_400
        /// Whether it holds in another network as well.
        var persists = false
    }

    /// None for `clear`, which takes back all earlier ones. Offers of other protocols are left out.
    private(set) var offers: [Offer] = []

    /// nil for a value that says nothing.
    ///
    /// - Parameter host: Whose field it is.
    init?(_ field: String, host: String) {
        guard field != "clear" else { return }
        var rest = Substring(field).utf8
        while let part = rest.takePart(before: UInt8(ascii: ",")) {
            if let offer = Self.offer(part, host: host) { offers.append(offer) }
        }
        guard !offers.isEmpty else { return nil }
    }

    private static func offer(_ text: Substring.UTF8View, host: String) -> Offer? {
        var rest = text
        guard let place = rest.takePart(before: UInt8(ascii: ";")), let service = service(place, host: host) else {
            return nil
        }
        var offer = Offer(service: service)
        while let parameter = rest.takePart(before: UInt8(ascii: ";")) {
            guard let (name, value) = pair(parameter) else { continue }
            switch name.lowercased() {
            case "ma": offer.maxAge = DeltaSeconds(value)?.value ?? offer.maxAge
            case "persist": offer.persists = Substring(value) == "1"
            default: break
            }
        }
        return offer
    }

    /// `h2="alt.example:443"`; without a host, the same one.
    private static func service(_ text: Substring.UTF8View, host: String) -> AlternativeService? {
        guard let (name, authority) = pair(text), let version = AlternativeService.Version(protocolName: String(name)),
            let colon = authority.lastIndex(of: UInt8(ascii: ":")),
            let port = UInt16(Substring(authority[authority.index(after: colon)...])), port > 0
        else { return nil }
        let named = Substring(authority[..<colon])
        guard named.utf8.allSatisfy(isOfHost) else { return nil }
        return AlternativeService(
            version: version, host: named.isEmpty ? host.lowercased() : named.lowercased(), port: Int(port))
    }

    private static func pair(_ text: Substring.UTF8View) -> (name: Substring, value: Substring.UTF8View)? {
        guard let sign = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (Substring(text[..<sign].trimmingBlanks), text[text.index(after: sign)...].trimmingBlanks.unquoted)
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._:[]".utf8.contains(byte)
        }
    }
}
