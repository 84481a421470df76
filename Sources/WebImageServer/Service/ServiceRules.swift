import FoundationEssentials
import WebImage
import WebImageCore

/// The settings as requests need them; they can be changed while the service runs, but for the watermark.
struct ServiceRules: Sendable {
    let grammar: OptionGrammar
    let signature: AddressSignature
    let settings: PictureServerSettings
    let sources: SourceRules
    let trustedProxies: [Network]
    let purgeFrom: [Network]
    /// A name for the watermark's file.
    var watermark: String

    init(_ settings: PictureServerSettings) throws(PictureServerError) {
        var grammar = OptionGrammar()
        for preset in settings.presets {
            let (name, options) = try OptionGrammar.preset(preset)
            grammar.presets[name] = options
        }
        try grammar.checkPresets()
        self.grammar = grammar
        signature = AddressSignature(pairs: try Self.pairs(settings), byteCount: settings.signatureBytes)
        self.settings = settings
        sources = try SourceRules(settings)
        let mark = settings.watermark.flatMap { FileManager.default.contents(atPath: $0) }
        watermark = mark.map { FileFingerprint($0).text } ?? ""
        trustedProxies = settings.trustedProxies.compactMap { Network($0) }
        purgeFrom = settings.purgeFrom.compactMap { Network($0) }
    }

    private static func pairs(_ settings: PictureServerSettings) throws(PictureServerError) -> [AddressSignature.Pair] {
        guard settings.keys.count == settings.salts.count else {
            throw PictureServerError(
                "there are \(settings.keys.count) keys and \(settings.salts.count) salts: give a salt for each key")
        }
        return zip(settings.keys, settings.salts).compactMap { AddressSignature.Pair(hexKey: $0, hexSalt: $1) }
    }

    /// The address of a source that may be served.
    func sourceURL(_ source: String) throws(PictureServerError) -> URL {
        do throws(AddressError) {
            return try sources.url(for: source)
        } catch {
            throw PictureServerError(error.reason)
        }
    }

    /// The client of a request: behind proxies that are trusted, the nearest address that is none of theirs.
    func client(of request: ServiceRequest) -> String {
        guard isTrusted(request.peer), let list = request.headers["x-forwarded-for"] else { return request.peer }
        let hops = list.split(separator: ",").map { Self.withoutPort($0.trimmed) }
        return hops.last { !isTrusted($0) } ?? hops.first ?? request.peer
    }

    /// Some proxies tell the client's port as well, which differs between its connections.
    private static func withoutPort(_ hop: String) -> String {
        if hop.hasPrefix("[") { return String(hop.dropFirst().prefix { $0 != "]" }) }
        return hop.count { $0 == ":" } == 1 ? String(hop.prefix { $0 != ":" }) : hop
    }

    private func isTrusted(_ address: String) -> Bool { trustedProxies.contains { $0.contains(address) } }

    /// Whether a request may purge: each end of a connection on its way is allowed to. What a proxy tells that is not trusted may
    /// be of anyone.
    func mayPurge(_ request: ServiceRequest) -> Bool {
        let mayPurge = { (address: String) in purgeFrom.contains { $0.contains(address) } }
        guard let list = request.headers["x-forwarded-for"] else { return mayPurge(request.peer) }
        return isTrusted(request.peer) && list.split(separator: ",").map(\.trimmed).allSatisfy(mayPurge)
    }
}

extension OptionGrammar {
    /// Reads all presets once, so that a wrong one is told at the start.
    fileprivate func checkPresets() throws(PictureServerError) {
        for name in presets.keys.sorted() {
            var options = ProcessingOptions()
            do throws(AddressError) {
                try apply([name], to: &options)
            } catch {
                throw PictureServerError("the preset \(name): \(error.reason)")
            }
        }
    }
}
