import FoundationEssentials

/// How requests are signed with the password of a credential, which is then not sent: Signature Version 4 of AWS, which other
/// object stores have as well.
///
/// The credential's user is the identifier of the key, and its password the secret.
package struct RequestSignature: Sendable, Hashable {
    /// Of the store, such as `eu-central-1`.
    package let region: String
    /// Such as `s3`.
    package let service: String
    /// Beside a key that is for some hours only; nil for all others.
    package let sessionToken: String?

    package init(region: String, service: String, sessionToken: String? = nil) {
        self.region = region
        self.service = service
        self.sessionToken = sessionToken
    }

    /// The fields that are signed, and without which the store refuses the request. libcurl older than 8.1 does not add the
    /// digest of the body by itself, and no version adds the token.
    package func fields(for body: Data?) -> [String: String] {
        var fields = ["x-amz-content-sha256": SHA256.text(of: body ?? Data())]
        fields["x-amz-security-token"] = sessionToken
        return fields
    }
}

extension RequestSignature: CustomStringConvertible, CustomReflectable {
    /// Without the token, which must not get into a log by accident.
    package var description: String { "\(service) in \(region)" }
    package var customMirror: Mirror { Mirror(self, children: ["region": region, "service": service]) }
}
