import FoundationEssentials
import WebImage
import WebImageCore

/// An answer, with what log and metrics tell of it.
struct PictureAnswer: Sendable {
    var answer: ServiceAnswer
    var format: ImageFormat?
    var origin: String?
    var error: String?

    init(_ answer: ServiceAnswer) { self.answer = answer }

    init(_ result: StoredResult, from origin: String, _ options: ProcessingOptions, _ exchange: Exchange) {
        let settings = exchange.rules.settings
        var headers: [(name: String, value: String)] = [
            ("Content-Type", result.format.mimeType ?? "application/octet-stream"), ("ETag", result.tag),
            ("Cache-Control", Self.cacheControl(result, options, settings)), ("X-Content-Type-Options", "nosniff"),
            // A drawing may have scripts.
            ("Content-Security-Policy", "script-src 'none'; sandbox"),
            ("Cache-Status", "webimage; \(Self.status(origin))"),
        ]
        let varies = Self.varies(options, settings)
        if !varies.isEmpty { headers.append(("Vary", varies.joined(separator: ", "))) }
        if let disposition = Self.disposition(options, result.format) {
            headers.append(("Content-Disposition", disposition))
        }
        if Self.matches(exchange.request.headers["if-none-match"], result.tag) {
            answer = ServiceAnswer(status: 304, headers: headers.filter { $0.name != "Content-Type" })
        } else {
            answer = ServiceAnswer(status: 200, headers: headers, body: result.data)
        }
        format = result.format
        self.origin = origin
    }

    static func error(
        _ error: ServiceError, _ fallback: FallbackPicture?, _ settings: PictureServerSettings
    ) -> PictureAnswer {
        var answer: PictureAnswer
        // A client that is to wait, or to write its address in another way, wants the text.
        if let fallback, ![400, 403, 405, 429].contains(error.status) {
            answer = PictureAnswer(fallback.answer(settings.fallbackStatus ?? error.status, settings.fallbackAge))
        } else {
            answer = PictureAnswer(.text(error.reason, status: error.status))
            answer.answer.headers.append(("Cache-Control", "no-store"))
        }
        if let seconds = error.retryAfter { answer.answer.headers.append(("Retry-After", "\(seconds)")) }
        answer.error = error.reason
        return answer
    }

    // MARK: Fields

    /// RFC 9211.
    private static func status(_ origin: String) -> String {
        switch origin {
        case "made": "fwd=miss"
        case "joined": "fwd=miss; collapsed"
        case "revalidated": "fwd=stale; detail=\(origin)"
        case "stale": "hit; ttl=-1; detail=\(origin)"
        default: "hit; detail=\(origin)"
        }
    }

    private static func cacheControl(
        _ result: StoredResult, _ options: ProcessingOptions, _ settings: PictureServerSettings
    ) -> String {
        var seconds = settings.age.map(Double.init) ?? max(0, result.freshUntil.timeIntervalSinceNow)
        if let expiry = options.expiry { seconds = min(seconds, max(0, Double(expiry) - Date().timeIntervalSince1970)) }
        let keeping = settings.age == nil ? result.keeping : .anywhere
        switch keeping {
        case .nowhere, .asked: return keeping.rawValue
        case .anywhere, .client: return "\(keeping.rawValue), max-age=\(Int(seconds))"
        }
    }

    private static func varies(_ options: ProcessingOptions, _ settings: PictureServerSettings) -> [String] {
        (options.format == nil && !options.isRaw && !settings.autoFormats.isEmpty ? ["Accept"] : [])
            + (settings.usesClientHints ? ["Sec-CH-DPR", "Sec-CH-Width"] : [])
    }

    private static func disposition(_ options: ProcessingOptions, _ format: ImageFormat) -> String? {
        guard options.fileName != nil || options.isAttachment != nil else { return nil }
        let kind = options.isAttachment == true ? "attachment" : "inline"
        guard let name = options.fileName else { return kind }
        let file = name + (format.fileExtension.map { ".\($0)" } ?? "")
        // RFC 6266, RFC 8187.
        let plain = String(
            file.unicodeScalars.map {
                $0.isASCII && $0.value >= 32 && !"\"\\".unicodeScalars.contains($0) ? Character($0) : "_"
            })
        let encoded = file.utf8.map { byte in
            let isPlain =
                Character(UnicodeScalar(byte)).isLetter && byte < 128 || (48...57).contains(byte)
                || [45, 46, 95].contains(byte)
            return isPlain
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
        return "\(kind); filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }

    private static func matches(_ field: String?, _ tag: String) -> Bool {
        guard let field else { return false }
        return field.split(separator: ",").map(\.trimmed).contains { $0 == "*" || $0 == tag || $0 == "W/\(tag)" }
    }
}
