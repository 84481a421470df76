import FoundationEssentials
import WebImageCore
import WebImageHTTP

/// The schemes of sources.
enum SourceScheme: String, Sendable {
    case http
    case https
    /// Below the service's directory.
    case local
    /// In a store of objects.
    case s3
}

/// The sources that clients of the service may name.
///
/// These rules read addresses. Whether a host belongs to the internet is decided where the connection is made
/// (``WebImageDownloaderConfig/deniesPrivateAddresses``), and what is below the directory where a file is opened
/// (``RootFolder``).
struct SourceRules: Sendable, Equatable {
    /// The beginnings of allowed addresses (``SourcePrefix``); empty for all.
    let prefixes: [String]
    /// The directory of `local:///…`; nil for none.
    let root: String?
    /// The store of `s3://…`; nil for none.
    let s3: S3Settings?
    /// Put before sources without a scheme; nil refuses them.
    let baseURL: String?
    /// Whether hosts may have addresses that do not belong to the internet.
    let allowsPrivate: Bool
    private let allowed: [SourcePrefix]
    private let base: SourcePrefix?

    /// Addresses of more bytes are refused.
    static let maximumByteCount = 8192

    /// - Throws: For a prefix that is none, and for a base that is no beginning of an address.
    init(
        prefixes: [String] = [], root: String? = nil, s3: S3Settings? = nil, baseURL: String? = nil,
        allowsPrivate: Bool = false
    ) throws(AddressError) {
        self.prefixes = prefixes
        self.root = root
        self.s3 = s3
        self.baseURL = baseURL
        self.allowsPrivate = allowsPrivate
        var allowed: [SourcePrefix] = []
        for prefix in prefixes { allowed.append(try SourcePrefix(prefix)) }
        self.allowed = allowed
        base = try baseURL.map { text throws(AddressError) in try SourcePrefix(text) }
    }

    /// The name of a source in the caches, which services with other rights share: what one has got from a private address, or by a
    /// key of a store, is in no name of one that may not, and neither is another store's object.
    func key(of source: URL) -> CacheKey {
        let address = source.absoluteString
        guard let s3, source.hasScheme("s3") else {
            return CacheKey(address + (allowsPrivate ? "#private" : ""))
        }
        let place = [s3.endpointAddress, s3.region, s3.credential?.user ?? ""].joined(separator: "\n")
        return CacheKey(address + "#" + FileFingerprint(Data(place.utf8)).text)
    }

    /// The address of what a client has named, in its one spelling: what is checked is what is loaded.
    func url(for source: String) throws(AddressError) -> URL {
        if source == ExampleLoader.address, let url = URL(string: source) { return url }
        try Self.check(source)
        guard let scheme = source.scheme else { return try url(belowBase: source) }
        let url = try url(of: source, scheme)
        guard allowed.isEmpty || allowed.contains(where: { $0.matches(url) }) else {
            throw AddressError("this service does not load from \(url.abbreviated)", status: .forbidden)
        }
        return url
    }

    private func url(belowBase source: String) throws(AddressError) -> URL {
        guard let baseURL, let base else {
            throw AddressError(
                "the source \(source.abbreviated(to: 200)) has no scheme; write http:// or https:// before it",
                status: .notFound)
        }
        // Behind a host without a slash the source would go on with its name.
        let needsSlash = !baseURL.dropFirst((baseURL.scheme?.count ?? 0) + 3).contains("/") && !source.hasPrefix("/")
        let url = try url(for: baseURL + (needsSlash ? "/" : "") + source)
        guard base.matches(url) else {
            throw AddressError("the source leads out of the service's base address", status: .forbidden)
        }
        return url
    }

    private func url(of source: String, _ scheme: String) throws(AddressError) -> URL {
        switch SourceScheme(rawValue: scheme) {
        case .http, .https: return try WebSource(source).url
        case .local where root != nil: return try LocalSource(source).url
        case .s3 where s3 != nil: return try S3Address(source).url
        case .local, .s3, nil:
            throw AddressError("this service loads nothing from \(scheme.abbreviated(to: 60)):", status: .notFound)
        }
    }

    private static func check(_ source: String) throws(AddressError) {
        guard source.utf8.count <= maximumByteCount else {
            throw AddressError("the source has more than \(maximumByteCount) bytes")
        }
        guard source.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw AddressError("the source has control characters; remove them")
        }
    }
}

extension String {
    /// In lower case, what a text begins with before a colon, if that is a scheme (RFC 3986 §3.1); nil for any other text.
    fileprivate var scheme: String? {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), let first, first.isASCII, first.isLetter else {
            return nil
        }
        let scheme = self[..<colon]
        let isScheme = scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return isScheme ? scheme.lowercased() : nil
    }
}
