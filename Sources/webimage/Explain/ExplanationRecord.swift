import WebImage
import WebImageCommandLine

/// The explanation of a load of the command line, as JSON. Like the text, it contains no password.
struct ExplanationRecord: Encodable, Sendable {
    struct Names: Encodable, Sendable { let original, result, memory: String }

    struct Access: Encodable, Sendable {
        let tier, picture, name, cache: String
        let found: Bool?
        /// The most bytes that the cache keeps of it.
        let limit: Int?
    }

    struct Loading: Encodable, Sendable {
        let loader: String?
        let priority: String
        let timeout: Double?
        let cookies, progressive, refreshes, deniesPrivate: Bool
        let refusal: ErrorRecord?
    }

    struct Decoding: Encodable, Sendable {
        let coder: String
        let thumbnail: String?
        let limit: Int?
        let format: String?
        let firstFrameOnly: Bool
        let scale: Double
    }

    struct Note: Encodable, Sendable { let note, text: String }

    let url: String
    /// The operand as typed.
    let given: String
    var names: Names?
    var options: [String]?
    var reads: [Access]?
    var loads: Loading?
    var decodes: Decoding?
    var writes: [Access]?
    var notes: [Note]?
    var error: ErrorRecord?

    init(_ operand: Operand, _ error: WebImageError) {
        url = operand.name
        given = operand.given
        self.error = ErrorRecord(error)
    }

    init(_ operand: Operand, _ explanation: LoadExplanation) {
        url = explanation.address
        given = operand.given
        names = explanation.keys.map { keys in
            Names(
                original: explanation.shown(keys.original), result: explanation.shown(keys.result),
                memory: explanation.shown(keys.memory))
        }
        options = explanation.request.options.names
        reads = explanation.reads.map { Access($0, name: explanation.shown($0.key)) }
        loads = explanation.loading.map(Loading.init)
        decodes = explanation.decoding.map(Decoding.init)
        writes = explanation.writes.map { Access($0, name: explanation.shown($0.key)) }
        notes = explanation.findings.map { Note(note: $0.rawValue, text: $0.description) }
        error = explanation.refusal.map(ErrorRecord.init)
    }
}

extension ExplanationRecord.Access {
    init(_ access: LoadExplanation.Access, name: String) {
        self.init(
            tier: access.tier.description, picture: access.picture.rawValue, name: name, cache: access.cache,
            found: access.isFound, limit: access.limit)
    }
}

extension ExplanationRecord.Loading {
    init(_ loading: LoadExplanation.Loading) {
        let request = loading.request
        self.init(
            loader: loading.loader, priority: "\(request.priority)", timeout: request.timeout?.seconds,
            cookies: request.usesCookies, progressive: loading.isProgressive, refreshes: loading.refreshes,
            deniesPrivate: loading.deniesPrivateAddresses, refusal: loading.refusal.map(ErrorRecord.init))
    }
}

extension ExplanationRecord.Decoding {
    init(_ decoding: LoadExplanation.Decoding) {
        let options = decoding.options
        var format: String?
        if case .format(let hint) = options.formatHint { format = hint.description }
        self.init(
            coder: decoding.coder, thumbnail: options.thumbnailPixelSize.map { "\($0.width)x\($0.height)" },
            limit: options.scaleDownLimitBytes, format: format,
            firstFrameOnly: options.decodesFirstFrameOnly, scale: options.scaleFactor ?? 1)
    }
}
