import FoundationEssentials
import WebImageCore

/// The path of a request for a picture, taken apart: signature, options, source and format.
///
/// The grammar is that of imgproxy, so that its clients work unchanged:
/// `/SIGNATURE/OPTION:ARGUMENT…/…/plain/SOURCE@FORMAT`, or the source in URL-safe Base64, which slashes may divide, and
/// `.FORMAT` behind it.
struct ServiceAddress: Equatable {
    let signature: String
    /// The signed part: all behind the signature, with its slash.
    let signedPath: String
    let options: ProcessingOptions
    /// As the client wrote it.
    let source: String

    /// - Parameters:
    ///   - target: The request's path and query; a query says nothing.
    ///   - onlyPresets: Whether the options are names of presets alone, in one segment.
    ///   - check: Throws for a signature and a signed path that may not be asked for, before anything else of them is read.
    init(
        _ target: String, grammar: OptionGrammar, onlyPresets: Bool = false,
        check: (_ signature: String, _ path: String) throws(AddressError) -> Void = { _, _ in }
    ) throws(AddressError) {
        let path = target.prefix { $0 != "?" }
        let parts = path.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard path.first == "/", parts.count == 2, !parts[0].isEmpty else {
            throw AddressError(
                "an address is /SIGNATURE/OPTIONS/plain/SOURCE, and this has no source: \(path)", status: .notFound)
        }
        signature = String(parts[0])
        signedPath = "/\(parts[1])".withBothSlashesInSource
        try check(signature, signedPath)
        var segments = signedPath.dropFirst().split(separator: "/", omittingEmptySubsequences: false)[...]
        var options = ProcessingOptions()
        if grammar.presets["default"] != nil { try grammar.apply(["default"], to: &options) }
        if onlyPresets {
            let names = segments.popFirst().map { $0.split(separator: grammar.separator).map(String.init) } ?? []
            try grammar.apply(names, to: &options)
        } else {
            while let option = segments.first, option.contains(grammar.separator) {
                try grammar.read(option, into: &options)
                segments.removeFirst()
            }
        }
        let (source, format) = try Self.source(of: segments)
        // The source's own bytes have its own format.
        if let format, !options.isRaw { options.format = try ImageFormat(serviceName: format) }
        self.options = options
        self.source = source
    }

    private static func source(
        of segments: ArraySlice<Substring>
    ) throws(AddressError) -> (source: String, format: String?) {
        switch segments.first {
        case "plain"?: try plainSource(segments.dropFirst().joined(separator: "/"))
        case "enc"?: throw AddressError("encrypted sources are not supported by this service")
        default: try encodedSource(segments.joined())
        }
    }

    private static func plainSource(_ text: String) throws(AddressError) -> (source: String, format: String?) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count <= 2 else {
            throw AddressError("the source has more than one @; write %40 for those that belong to it: \(text)")
        }
        guard let source = parts[0].percentDecoded, !source.isEmpty else {
            throw AddressError(
                text.isEmpty ? "the address has no source behind plain" : "the source is not percent-encoded UTF-8")
        }
        return (source, parts.count == 2 && !parts[1].isEmpty ? String(parts[1]) : nil)
    }

    private static func encodedSource(_ text: String) throws(AddressError) -> (source: String, format: String?) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard !text.isEmpty else { throw AddressError("the address has no source behind its options") }
        guard parts.count <= 2, let source = String(parts[0]).decodedFromBase64, !source.isEmpty else {
            throw AddressError("the source is neither behind plain nor in URL-safe Base64: \(text)")
        }
        return (source, parts.count == 2 && !parts[1].isEmpty ? String(parts[1]) : nil)
    }
}

extension String {
    /// The path with the source as its client has written it, and has signed it.
    fileprivate var withBothSlashesInSource: String {
        guard let start = firstRange(of: "/plain/")?.upperBound else { return self }
        return self[..<start] + String(self[start...]).withBothSlashes
    }

    /// Some proxies make one slash of two: `http:/host` is `http://host`.
    fileprivate var withBothSlashes: String {
        guard let colon = firstIndex(of: ":"), self[colon...].hasPrefix(":/"), !self[colon...].hasPrefix("://"),
            self[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return self }
        let scheme = self[..<colon]
        return scheme + (scheme == "local" ? ":///" : "://") + self[colon...].dropFirst(2)
    }

    /// The text that this URL-safe Base64 stands for, with or without its padding; nil for anything else.
    var decodedFromBase64: String? {
        var text = replacing("-", with: "+").replacing("_", with: "/")
        while text.hasSuffix("=") { text.removeLast() }
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text).flatMap { String(data: $0, encoding: .utf8) }
    }
}

extension StringProtocol {
    /// The text without its percent-encoding (RFC 3986 §2.1); nil where digits are missing, or the bytes are no UTF-8.
    var percentDecoded: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            bytes.append(UInt8(digits[0] << 4 | digits[1]))
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
