import FoundationEssentials
import Synchronization
import WebImageCore

/// The coders for loads: the last one registered that recognises the bytes decodes the file.
///
/// ```swift
/// ImageCodersManager.shared.add(MyCoder())
/// ```
/// It is a coder itself. When a coder recognises the bytes and then fails, no other coder is asked. Where no coder
/// recognises the bytes and ``ImageDecodeOptions/formatHint`` has a format, the coder of that format is tried. Safe to
/// use and to change from any thread.
public final class ImageCodersManager: ProgressiveImageCoder {
    /// The coders of every load whose context has none: initially JPEG, PNG, WebP, GIF, BMP and ICO, and PAM for
    /// writing.
    public static let shared = ImageCodersManager(
        coders: [.pam, .ico, .bmp, .gif, .webP, .png, .jpeg])

    /// The number of bytes of an incomplete file up to which coders are asked again, as long as none recognises it.
    static let longestHead = 4096

    private struct Registration {
        var coders: [any ImageCoder]
        /// Those that decode.
        var decoders: [any ImageCoder]
        var choice: (any DecoderChoice)?

        mutating func change(_ edit: (inout Registration) -> Void) {
            edit(&self)
            decoders = choice?.decoders(for: coders) ?? coders
        }
    }

    private let registered: Mutex<Registration>

    /// Coders in ascending order of precedence.
    public init(coders: [any ImageCoder]) {
        registered = Mutex(Registration(coders: coders, decoders: coders))
    }

    /// The registered coders, in ascending order of precedence.
    public var coders: [any ImageCoder] {
        get { registered.withLock { $0.coders } }
        set { registered.withLock { $0.change { $0.coders = newValue } } }
    }

    /// The choice of coders that decode in place of the registered ones; nil for these.
    package var decoderChoice: (any DecoderChoice)? {
        get { registered.withLock { $0.choice } }
        set { registered.withLock { $0.change { $0.choice = newValue } } }
    }

    /// The coders that decode, in ascending order of precedence.
    package var decoders: [any ImageCoder] { registered.withLock { $0.decoders } }

    package func decoder(inPlaceOf coder: any ImageCoder) -> any ImageCoder {
        decoderChoice?.decoder(inPlaceOf: coder) ?? coder
    }

    /// Adds `coder` before all others.
    public func add(_ coder: any ImageCoder) {
        registered.withLock { $0.change { $0.coders.append(coder) } }
    }

    /// Removes every coder of the type of `coder`, such as one of the library's own: `remove(.gif)`.
    public func remove<Coder: ImageCoder>(_ coder: Coder) { removeAll(ofType: Coder.self) }

    /// Removes every coder of the type `type`.
    public func removeAll<Coder: ImageCoder>(ofType type: Coder.Type) {
        registered.withLock { $0.change { $0.coders.removeAll { $0 is Coder } } }
    }

    /// Whether any of the coders that may decode the file cannot be interrupted.
    public func isUninterruptible(for data: Data) -> Bool { decoders.contains { $0.isUninterruptible(for: data) } }

    /// Whether any coder decodes still pictures of `format` row by row.
    public func decodesRows(of format: ImageFormat) -> Bool { decoders.contains { $0.decodesRows(of: format) } }

    /// Whether any coder recognises the bytes.
    public func canDecode(_ data: Data) -> Bool { decoder(for: data) != nil }

    /// The properties of the picture, within the default limits; see ``ImageCoder/properties(of:isComplete:)``.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try properties(of: data, isComplete: isComplete, options: ImageDecodeOptions())
    }

    /// The properties of the picture; see ``ImageCoder/properties(of:isComplete:options:)``.
    ///
    /// If no coder recognises a complete file, the coder of the format in ``ImageDecodeOptions/formatHint`` is asked.
    ///
    /// - Throws: Also ``WebImageError/Code/limitExceeded`` for more bytes than the limits allow.
    public func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties? {
        let limits = options.limits
        guard data.count <= limits.maximumByteCount else { throw .tooManyBytes(data.count, limits) }
        let stopwatch = Stopwatch()
        defer { stopwatch.stop() }
        let options = options.timed(by: stopwatch)
        if let coder = decoder(for: data) {
            return try coder.properties(of: data, isComplete: isComplete, options: options)
        }
        if !isComplete && data.count < Self.longestHead { return nil }
        return try asHinted(data, options) { coder throws(WebImageError) in
            try coder.properties(of: data, isComplete: isComplete, options: options)
        }
    }

    /// Whether any coder decodes files of `format`.
    public func canDecode(_ format: ImageFormat) -> Bool { decoder(of: format) != nil }

    /// Decodes by the first coder that recognises the bytes, or else by the coder of the format in
    /// ``ImageDecodeOptions/formatHint``.
    ///
    /// - Throws: ``WebImageError/Code/badImageData`` when none does; the message says what the bytes look like.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let limits = options.limits
        guard data.count <= limits.maximumByteCount else { throw .tooManyBytes(data.count, limits) }
        let stopwatch = Stopwatch()
        defer { stopwatch.stop() }
        let options = options.timed(by: stopwatch)
        if let image = try decodeAsHinted(data, options: options) { return image }
        if let coder = decoder(for: data) { return try coder.decode(data, options: options) }
        return try asHinted(data, options) { coder throws(WebImageError) in try coder.decode(data, options: options) }
    }

    /// The result of the hint's coder for bytes that no coder recognises.
    private func asHinted<Result>(
        _ data: Data, _ options: ImageDecodeOptions, _ read: (any ImageCoder) throws(WebImageError) -> Result
    ) throws(WebImageError) -> Result {
        guard !data.isEmpty, case .format(let format) = options.formatHint, let coder = decoder(of: format) else {
            throw Self.notAnImage(data)
        }
        do throws(WebImageError) {
            return try read(coder)
        } catch {
            // Only the hint led to this coder, so its error about the bytes is not the cause.
            throw error.isCancelled ? error : Self.notAnImage(data, tried: format, failure: error)
        }
    }

    /// Decodes formats that have no signature of their own and look like others: there the hint has precedence over the
    /// bytes. nil without such a hint, and where it is wrong.
    private func decodeAsHinted(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image? {
        guard case .format(let format) = options.formatHint, !ImageFormat.sniffed.contains(format),
            let hinted = decoder(of: format), decoder(for: data) != nil
        else { return nil }
        do throws(WebImageError) {
            return try hinted.decode(data, options: options)
        } catch {
            guard !error.isCancelled else { throw error }
            return nil
        }
    }

    /// Whether any coder writes `format`.
    public func canEncode(_ format: ImageFormat) -> Bool { encoder(for: format) != nil }

    /// Encodes by the first coder that writes `format`.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        try requireEncoder(for: format).encode(image, to: format, options: options)
    }

    func requireEncoder(for format: ImageFormat) throws(WebImageError) -> any ImageCoder {
        guard let coder = encoder(for: format) else {
            throw WebImageError(
                .encodeFailed, stage: .encode, kind: .permanent,
                reason: "no coder writes \(format); use JPEG, PNG, GIF or WebP, or register a coder for it")
        }
        return coder
    }

    func decoder(for data: Data) -> (any ImageCoder)? { decoders.last { $0.canDecode(data) } }

    private func decoder(of format: ImageFormat) -> (any ImageCoder)? { decoders.last { $0.canDecode(format) } }

    private func encoder(for format: ImageFormat) -> (any ImageCoder)? { coders.last { $0.canEncode(format) } }
}

extension ImageCodersManager {
    private static func notAnImage(
        _ data: Data, tried hint: ImageFormat? = nil, failure: WebImageError? = nil
    ) -> WebImageError {
        let format = ImageFormat(sniffing: data)
        let textKind = format == .undefined ? ImageFormat.textKind(of: data) : nil
        var finding =
            if data.isEmpty { "the body is empty" } else if format != .undefined {
                "no coder is registered for \(format)"
            } else { "the bytes are \(textKind ?? "of no known format"), not a picture" }
        if let hint, let failure { finding += "; tried as \(hint), by its name or a hint: \(failure.reason)" }
        // A text in the picture's place is a notice: of a network that asks to log in, or of a server in trouble.
        return WebImageError(
            .badImageData, stage: .decode, kind: textKind == nil ? .permanent : .transient, reason: finding,
            underlying: failure)
    }
}
