import FoundationEssentials
import WebImageCore
import WebImageHTTP

// The rules of HTTP, as far as the load follows them.
extension LoadPlan {
    var httpCachePolicy: HTTPCachePolicy { context.httpCachePolicy ?? HTTPCachePolicy() }

    /// Whether the server decides how long a picture is used.
    var followsServer: Bool { httpCachePolicy.followsServer && !url.isLocal }

    /// Whether a cached picture may need a revalidation.
    var revalidates: Bool { refreshes || followsServer }

    /// The fields of the request that are known before it is sent, names in lower case.
    var requestFields: [String: String] { context.httpHeaders.withLowercasedNames }

    /// Whether the request itself forbids to ask a server (RFC 9111 §5.2.1.7).
    var isOnlyIfCached: Bool {
        followsServer && CacheControl(requestFields["cache-control"] ?? "").onlyIfCached
    }

    /// How a cached picture with this record may be used.
    func use(of record: HTTPRecord?, at now: @autoclosure () -> Date) -> CachedUse {
        revalidates ? use(by: rules(of: record), at: now()) : .atOnce
    }

    private func use(by rules: HTTPCacheRules?, at now: @autoclosure () -> Date) -> CachedUse {
        guard let rules else { return refreshes ? .whileRevalidated : .atOnce }
        let use = rules.use(for: selectingFields, at: now())
        return refreshes && use != .atOnce ? .whileRevalidated : use
    }

    func use(of image: Image, at now: @autoclosure () -> Date) -> CachedUse {
        use(of: image.origin.record, at: now())
    }

    /// The finished picture in memory, if it may be used without asking its server.
    func freshImageFromMemory(at now: @autoclosure () -> Date) -> Image? {
        imageFromMemory().flatMap { use(of: $0, at: now()) == .atOnce ? $0 : nil }
    }

    /// The fields of a conditional request for a newer picture.
    func validators(of record: HTTPRecord) -> [String: String] {
        rules(of: record)?.validators(for: followsServer ? requestFields : [:]) ?? [:]
    }

    /// A cached response as the answer to this load; nothing for loads that do not follow the server.
    func answer(of record: HTTPRecord?, at now: @autoclosure () -> Date) -> CachedAnswer {
        guard followsServer, let record, let rules = rules(of: record) else { return CachedAnswer() }
        return answer(of: record, by: rules, at: now())
    }

    private func answer(of record: HTTPRecord, by rules: HTTPCacheRules, at now: Date) -> CachedAnswer {
        let fields = record.fields.dictionary
        let address = fields[HTTPRecord.location].flatMap { URL(string: $0) }
        let status = fields[HTTPRecord.status].flatMap { Int($0) }
        let response = HTTPResponse(url: address ?? url, statusCode: status ?? 200, headers: rules.answer(at: now))
        return CachedAnswer(response: response, isStale: rules.isStale(at: now))
    }

    /// Both of a picture that may need a revalidation. The rules are read once, as each cached picture needs them.
    func judgement(of record: HTTPRecord, at now: Date) -> (use: CachedUse, answer: CachedAnswer) {
        let rules = rules(of: record)
        let answer = followsServer ? rules.map { self.answer(of: record, by: $0, at: now) } : nil
        return (use(by: rules, at: now), answer ?? CachedAnswer())
    }

    /// The stored record after the server has said by `response`, a 304, that the body is current.
    func record(
        _ record: HTTPRecord, updatedBy response: HTTPResponse, _ metrics: TransferMetrics?, at now: Date
    ) -> HTTPRecord {
        let rules = HTTPCacheRules(headers: record.fields.dictionary, storedAt: record.storedAt)
        let fields = rules.headers(updatedBy: response.headers, delay: metrics?.delayNote)
        return HTTPRecord(fields: .decoded(selected(fields)), storedAt: now)
    }

    /// Whether `updated` leads to other decisions than `record`: else no file needs it.
    func isNews(_ updated: HTTPRecord, after record: HTTPRecord?) -> Bool {
        guard let record else { return true }
        return !HTTPCacheRules(headers: record.fields.dictionary, storedAt: record.storedAt)
            .decideAlike(updated.fields.dictionary)
    }

    /// The fields with the notes of this request: the server has selected the response for it.
    private func selected(_ fields: [String: String]) -> [String: String] {
        guard followsServer, let vary = fields["vary"] else { return fields }
        var selected = fields.filter { !$0.key.hasPrefix(HTTPRecord.variedField) }
        for name in vary.listedNames { selected[HTTPRecord.variedField + name] = requestFields[name] }
        return selected
    }

    /// The fields that select a stored response. A load that may not ask a server takes a stale one.
    private var selectingFields: [String: String] {
        guard followsServer else { return [:] }
        guard isFromCacheOnly else { return requestFields }
        return requestFields.merging(["cache-control": "max-stale"]) { "\($0), \($1)" }
    }

    /// nil for a picture that is not from HTTP.
    private func rules(of record: HTTPRecord?) -> HTTPCacheRules? {
        guard let record else { return nil }
        let fields = record.fields.dictionary
        let isFromHTTP = fields.contains { $0.key != HTTPRecord.thumbHash }
        guard isFromHTTP, refreshes || fields[HTTPRecord.status] != nil else { return nil }
        return HTTPCacheRules(
            headers: fields, storedAt: record.storedAt,
            heuristicFraction: followsServer ? httpCachePolicy.heuristicFraction : 0,
            allowsStaleOnErrors: followsServer && httpCachePolicy.showsStaleOnErrors)
    }
}

// MARK: - Parts

extension LoadPlan {
    /// The part of the picture's file that the load wants; nil for the whole, as for most loads.
    var requestedRange: ByteRange? {
        guard followsServer else { return nil }
        let fields = requestFields
        return fields["if-range"] == nil ? fields["range"].flatMap { ByteRange($0) } : nil
    }
}

// MARK: - New responses

extension LoadPlan {
    /// The response with what caches keep of its head.
    func recorded(_ response: ImageLoadResponse, at now: Date) -> ImageLoadResponse {
        guard let http = response.http else { return response }
        var response = response
        let rules = storageRules(of: http, response.sent)
        let fields = rules.record(knowing: requestFields, delay: response.metrics?.delayNote)
        response.record = HTTPRecord(fields: .decoded(fields), storedAt: now)
        response.keeping = keeping(of: http, rules)
        response.replacesStored = !followsServer || rules.replacesStored
        return response
    }

    /// The keys of pictures that are no longer valid after this response.
    func invalidated(by response: ImageLoadResponse) -> [CacheKey] {
        guard followsServer, let http = response.http, let sent = response.sent else { return [] }
        let addresses = storageRules(of: http, sent).invalidated
        guard !addresses.isEmpty else { return [] }
        return [keys.original] + addresses.map { CacheKey(filtering: $0, by: context.cacheKeyFilter) }
    }

    private func storageRules(of response: HTTPResponse, _ sent: SentRequest?) -> HTTPStorageRules {
        let request =
            sent
            ?? SentRequest(
                url: url, method: "GET", headers: context.httpHeaders, usesCookies: options.contains(.handleCookies))
        return HTTPStorageRules(request: request, response: response)
    }

    private func keeping(of response: HTTPResponse, _ rules: HTTPStorageRules) -> ImageOrigin.Keeping {
        if followsServer { return rules.mayBeStored ? .anywhere : .nowhere }
        // A part would be found as the whole.
        if response.isPart { return .nowhere }
        guard !httpCachePolicy.ignoresNoStore, let field = response.header("cache-control") else { return .anywhere }
        return CacheControl(field).forbidsStorage(of: response.statusCode) ? .inMemory : .anywhere
    }
}
