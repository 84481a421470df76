import FoundationEssentials
import WebImageCore
import WebImageHTTP

/// A store of objects that speaks S3, and the key for it.
struct S3Settings: Sendable, Equatable {
    /// Of the store, such as `eu-central-1`; requests are signed for it.
    let region: String
    /// `https://host:port` of a store that is not AWS's own.
    let endpoint: URL?
    /// Whether the bucket is the first part of the path, and not of the host; nil, the default, for the usual: in the host at
    /// AWS, in the path elsewhere.
    let hasBucketInPath: Bool?
    /// Signs requests; nil for buckets that everybody may read. Its password does not appear where it is printed.
    let credential: DownloadCredential?

    /// - Parameters:
    ///   - accessKey: The identifier of the key; nil signs nothing.
    ///   - secret: Of the key.
    ///   - sessionToken: Beside a key that is for some hours only.
    init(
        region: String = "us-east-1", endpoint: String? = nil, hasBucketInPath: Bool? = nil, accessKey: String? = nil,
        secret: String = "", sessionToken: String? = nil
    ) throws(AddressError) {
        guard !region.isEmpty, region.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isRegionLetter }) else {
            throw AddressError("\(region) is no region of S3, such as eu-central-1")
        }
        self.region = region
        self.endpoint = try endpoint.map { text throws(AddressError) in try Self.endpoint(text) }
        self.hasBucketInPath = hasBucketInPath
        credential = accessKey.map { key in
            var credential = DownloadCredential(user: key, password: secret)
            credential.signature = RequestSignature(region: region, service: "s3", sessionToken: sessionToken)
            return credential
        }
    }

    /// Without a slash at its end.
    var endpointAddress: String {
        var text = endpoint?.absoluteString ?? "https://s3.\(region).amazonaws.com"
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }

    /// AWS's certificates have no names with a further dot.
    func usesPathStyle(for bucket: String) -> Bool { hasBucketInPath ?? (endpoint != nil || bucket.contains(".")) }

    private static func endpoint(_ text: String) throws(AddressError) -> URL {
        guard let url = URL(webAddress: text)?.withPlainHost, url.hasScheme("http", "https"),
            url.host()?.isEmpty == false, url.user() == nil, url.query() == nil, url.fragment() == nil
        else { throw AddressError("\(text.abbreviated(to: 200)) is no endpoint of S3, such as https://host:9000") }
        return url
    }
}

extension Character {
    fileprivate var isRegionLetter: Bool { isASCII && (isLetter || isNumber || self == "-") }
}
