import Foundation
import WebImage
import WebImageCore

/// One request, with the rules of its time.
struct Exchange: Sendable {
    let request: ServiceRequest
    let rules: ServiceRules
    let client: String
    /// As the proxy in front has called it, or a new one.
    let id: String
    let start = ContinuousClock.now
    let date = Date()

    init(_ request: ServiceRequest, _ rules: ServiceRules) {
        self.request = request
        self.rules = rules
        client = rules.client(of: request)
        let given = request.headers["x-request-id"] ?? ""
        let isUsable = (1...128).contains(given.utf8.count) && given.utf8.allSatisfy { (33...126).contains($0) }
        id = isUsable ? given : String(UInt64.random(in: .min ... .max), radix: 16)
    }

    /// The address, if it may be asked for.
    func address() throws(ServiceError) -> ServiceAddress {
        do throws(AddressError) {
            let address = try ServiceAddress(
                request.target, grammar: rules.grammar, onlyPresets: rules.settings.onlyPresets, check: checkRights)
            if let expiry = address.options.expiry, Date().timeIntervalSince1970 >= Double(expiry) {
                throw AddressError("the address has expired", status: .notFound)
            }
            return address
        } catch {
            throw ServiceError(error)
        }
    }

    /// Purging depends on the client, and not on a signature, which every visitor of a page has.
    private func checkRights(_ signature: String, _ path: String) throws(AddressError) {
        if request.method == "PURGE" {
            guard rules.mayPurge(request) else { throw AddressError("this client may not purge", status: .forbidden) }
        } else if !rules.settings.allowsUnsigned, !rules.signature.accepts(signature, of: path) {
            throw AddressError("the signature is wrong", status: .forbidden)
        }
    }

    func recipe(_ address: ServiceAddress) throws(ServiceError) -> ResultRecipe {
        let settings = rules.settings
        let source: URL
        do throws(AddressError) {
            source = try rules.sources.url(for: address.source)
        } catch {
            throw ServiceError(error)
        }
        var options = address.options
        if settings.usesClientHints { options = ClientHints(request.headers).applied(to: options) }
        let types = AcceptedTypes(request.headers["accept"])
        let wish = FormatWish(
            named: options.format, accepted: options.format == nil ? settings.autoFormats.filter(types.names) : [],
            unprocessed: options.unprocessedFormats)
        var byFormat = settings.formatQuality.merging(options.formatQuality) { $1 }
        if options.quality != nil { byFormat = options.formatQuality }
        let quality = OutputQuality(
            usual: options.quality ?? settings.quality, byFormat: byFormat, maximumByteCount: options.maximumByteCount)
        return ResultRecipe(
            source: source, sourceKey: rules.sources.key(of: source), options: options, wish: wish, quality: quality,
            watermark: rules.watermark)
    }
}
