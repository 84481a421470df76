import FoundationEssentials

/// The head of a response as a cache keeps it: its fields, with notes about the exchange.
///
/// A note is a field whose name begins with a colon, as no field of a response does (RFC 9110 §5.1), like the pseudo-header
/// fields of HTTP/2. So notes survive in every tier that keeps fields.
package final class HTTPRecord: Sendable {
    /// The status code.
    package static let status = ":status"
    /// The address of the response, where redirects led to another than the requested one.
    package static let location = ":location"
    /// Seconds until one of the redirects has to be asked for again; see ``HTTPCacheRules``.
    package static let redirectLifetime = ":redirect-lifetime"
    /// Seconds from the request to the whole response, where they count; see ``HTTPCacheRules``.
    package static let delay = ":delay"
    /// The fingerprint of the original, in the file of what was made of it.
    package static let original = ":original"
    /// The key of the original, in the file of what was made of it.
    package static let originalKey = ":of"
    /// The picture's ``ThumbHash`` in Base64; see ``ImageCacheConfig/storesThumbHashes``.
    package static let thumbHash = ":thumbhash"
    /// Followed by the name of a request field that `Vary` names: its value in the request.
    package static let variedField = ":vary-"
    /// `Vary` names a field whose value in the request was not known to the cache.
    package static let variesUnknown = ":vary"

    package let fields: HTTPFields
    /// When the response arrived, or was last revalidated.
    package let storedAt: Date

    package init(fields: HTTPFields, storedAt: Date) {
        self.fields = fields
        self.storedAt = storedAt
    }

    /// The same with the hash of another record, which is of the same picture.
    package func withThumbHash(of other: HTTPRecord?) -> HTTPRecord {
        guard let hash = other?.fields.dictionary[Self.thumbHash] else { return self }
        var fields = fields.dictionary
        fields[Self.thumbHash] = hash
        return HTTPRecord(fields: .decoded(fields), storedAt: storedAt)
    }
}

extension [String: String] {
    /// The fields of a response, without the notes of the cache.
    package var withoutNotes: [String: String] { filter { !$0.key.hasPrefix(":") } }
}
