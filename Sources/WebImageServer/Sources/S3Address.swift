import FoundationEssentials
import WebImageCore
import WebImageHTTP

/// `s3://bucket/key`, and `?versionId=…` or the identifier of a version alone behind it.
struct S3Address: Sendable, Equatable {
    let bucket: String
    /// Decoded: the key's own bytes.
    let key: [UInt8]
    let version: [UInt8]?

    /// - Parameter text: The key is percent-encoded, but for characters that no address allows; a `#` belongs to it.
    init(_ text: String) throws(AddressError) {
        guard text.hasScheme("s3"), text.dropFirst(3).hasPrefix("//") else {
            throw AddressError("an object of S3 is s3://BUCKET/KEY")
        }
        let (path, query) = text.dropFirst(5).divided(at: "?")
        let (bucket, key) = path.divided(at: "/")
        guard Self.isBucket(bucket) else {
            throw AddressError("\(bucket) is no name of a bucket: 3 to 63 letters, digits, dots and hyphens")
        }
        self.bucket = String(bucket)
        self.key = try Self.decoded(key ?? "", "key")
        guard !self.key.isEmpty, self.key.count <= 1024 else {
            throw AddressError("the key of an object has 1 to 1024 bytes; write s3://BUCKET/KEY")
        }
        // libcurl takes these for a way up, and so to another object.
        guard !self.key.split(separator: UInt8(ascii: "/")).contains(where: { [[0x2E], [0x2E, 0x2E]].contains($0) })
        else { throw AddressError("a key with . or .. between its slashes is not supported") }
        version = try query.map { query throws(AddressError) in
            try Self.decoded(query.hasPrefix("versionId=") ? query.dropFirst(10) : query, "version")
        }
    }

    /// Its one spelling.
    var url: URL {
        get throws(AddressError) {
            let query = version.map { "?versionId=" + String(strictlyEncoding: $0) } ?? ""
            return try Self.url("s3://\(bucket)/\(String(strictlyEncoding: key, keeping: "/"))\(query)")
        }
    }

    /// The address at the endpoint of `settings`. libcurl signs path and query as they are sent, so that they are in the
    /// encoding that AWS makes of them.
    func url(by settings: S3Settings) throws(AddressError) -> URL {
        let endpoint = settings.endpointAddress
        let path = String(strictlyEncoding: key, keeping: "/")
        let query = version.map { "?versionId=" + String(strictlyEncoding: $0) } ?? ""
        if settings.usesPathStyle(for: bucket) { return try Self.url("\(endpoint)/\(bucket)/\(path)\(query)") }
        let (scheme, host) = endpoint[...].divided(at: "/")
        return try Self.url("\(scheme)//\(bucket).\(host?.dropFirst() ?? "")/\(path)\(query)")
    }

    /// Names that cannot be anything but a label of a host, or a part of a path (S3 User Guide, "Bucket naming rules"). Older
    /// buckets may have capitals and underscores.
    private static func isBucket(_ name: Substring) -> Bool {
        guard (3...255).contains(name.utf8.count), let first = name.first, let last = name.last else { return false }
        return name.utf8.allSatisfy { byte in
            Character(Unicode.Scalar(byte)).isBucketLetter || "-_.".utf8.contains(byte)
        }
            && first.isBucketLetter && last.isBucketLetter && !name.contains("..")
    }

    private static func decoded(_ text: Substring, _ what: String) throws(AddressError) -> [UInt8] {
        guard let bytes = String(text).percentDecodedBytes, !bytes.contains(0) else {
            throw AddressError("the \(what) of the object is not percent-encoded rightly; write a % itself as %25")
        }
        return bytes
    }

    private static func url(_ text: String) throws(AddressError) -> URL {
        guard let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw AddressError("\(text) is no address")
        }
        return url
    }
}

extension Substring {
    /// The texts before and behind the first `mark`; nil for the second one without a mark. A mark is one also before an accent.
    func divided(at mark: Unicode.Scalar) -> (Substring, Substring?) {
        guard let index = unicodeScalars.firstIndex(of: mark) else { return (self, nil) }
        return (self[..<index], self[unicodeScalars.index(after: index)...])
    }
}

extension Character {
    fileprivate var isBucketLetter: Bool { isASCII && (isLetter || isNumber) }
}
