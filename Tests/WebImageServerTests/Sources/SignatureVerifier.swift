import CCrypto
import FoundationEssentials
import WebImageTesting

/// Signature Version 4 as a store computes it, from AWS's description and from no code of the library or of libcurl.
///
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
struct SignatureVerifier: Sendable {
    /// The secrets of keys.
    let secrets: [String: String]
    let region: String
    /// The tokens of keys that need one.
    var tokens: [String: String] = [:]

    /// The fault of a request; nil for one that is signed rightly.
    func fault(of request: OriginRequest) -> String? {
        guard let parts = Authorization(request.header("authorization") ?? "") else { return "not signed" }
        guard let secret = secrets[parts.key] else { return "unknown key" }
        guard let date = request.header("x-amz-date"), date.hasPrefix(parts.date) else { return "no date" }
        guard parts.scope == "\(parts.date)/\(region)/s3/aws4_request" else { return "wrong scope \(parts.scope)" }
        guard request.header("x-amz-security-token") == tokens[parts.key] else { return "wrong token" }
        let needed = request.headers.keys.filter { $0 == "host" || $0.hasPrefix("x-amz-") }
        guard Set(needed).isSubset(of: parts.signed), parts.signed == parts.signed.sorted() else {
            return "signed only \(parts.signed)"
        }
        guard request.header("x-amz-content-sha256") == Self.hex(Self.digest(of: Array(request.body))) else {
            return "wrong digest of the body"
        }
        let expected = signature(of: request, date: date, parts, secret: secret)
        return expected == parts.signature ? nil : "wrong signature"
    }

    private func signature(
        of request: OriginRequest, date: String, _ parts: Authorization, secret: String
    ) -> String {
        let text = [
            "AWS4-HMAC-SHA256", date, parts.scope,
            Self.hex(Self.digest(of: Array(Self.canonical(request, signed: parts.signed).utf8))),
        ].joined(separator: "\n")
        let key = parts.scope.split(separator: "/").reduce(Array("AWS4\(secret)".utf8)) { key, part in
            Self.code(of: Array(part.utf8), key: key)
        }
        return Self.hex(Self.code(of: Array(text.utf8), key: key))
    }

    private static func canonical(_ request: OriginRequest, signed: [String]) -> String {
        let fields = signed.map { name in
            let words = (request.header(name) ?? "").split(separator: " ")
            return "\(name):\(words.joined(separator: " "))\n"
        }
        return [
            request.method, encoded(decoded(request.path), keeping: "/"), canonicalQuery(request.query ?? ""),
            fields.joined(),
            signed.joined(separator: ";"), request.header("x-amz-content-sha256") ?? "",
        ].joined(separator: "\n")
    }

    private static func canonicalQuery(_ query: String) -> String {
        let pairs = query.split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return halves.prefix(1).map { encoded(decoded(String($0))) }.joined() + "="
                + (halves.count > 1 ? encoded(decoded(String(halves[1]))) : "")
        }
        return pairs.sorted().joined(separator: "&")
    }

    private static func decoded(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    private static func encoded(_ bytes: [UInt8], keeping others: String = "") -> String {
        bytes.map { byte in
            plain.union(others.utf8).contains(byte)
                ? String(decoding: [byte], as: UTF8.self) : "%" + hex([byte]).uppercased()
        }.joined()
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func digest(of bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        webimage_sha256(bytes, bytes.count, &digest)
        return digest
    }

    private static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 0
        HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &digest, &count)
        return digest
    }

    /// `AWS4-HMAC-SHA256 Credential=KEY/SCOPE, SignedHeaders=a;b, Signature=…`
    private struct Authorization {
        let key: String
        let scope: String
        let signed: [String]
        let signature: String

        var date: String { String(scope.prefix { $0 != "/" }) }

        init?(_ field: String) {
            guard field.hasPrefix("AWS4-HMAC-SHA256 ") else { return nil }
            let pairs = field.dropFirst("AWS4-HMAC-SHA256 ".count).split(separator: ",").map { part in
                part.drop { $0 == " " }.split(separator: "=", maxSplits: 1).map(String.init)
            }
            guard pairs.count == 3, pairs.map(\.first) == ["Credential", "SignedHeaders", "Signature"],
                pairs.allSatisfy({ $0.count == 2 })
            else { return nil }
            let credential = pairs[0][1].split(separator: "/", maxSplits: 1).map(String.init)
            guard credential.count == 2 else { return nil }
            (key, scope) = (credential[0], credential[1])
            signed = pairs[1][1].split(separator: ";").map(String.init)
            signature = pairs[2][1]
        }
    }
}
