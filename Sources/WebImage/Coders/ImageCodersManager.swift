import FoundationEssentials
import Synchronization

/// The coders that a load may use: the last one registered that says it can decode the bytes does.
///
/// ```swift
/// ImageCodersManager.shared.add(MyCoder())
/// ```
/// It is a coder itself. A coder that accepted the bytes and failed ends the matter: the next one is not asked. Where no
/// coder takes the bytes and ``ImageDecodeOptions/formatHint`` names a format, the coder of that format tries. Safe to use
/// and to change from any thread.
public final class ImageCodersManager: ProgressiveImageCoder {
    /// The coders of every load whose context names none: JPEG, PNG, WebP, GIF, BMP and ICO to begin
    /// with, and PAM to write.
    public static let shared = ImageCodersManager(
        coders: [PAMEncoder(), ICOCoder(), BMPCoder(), GIFCoder(), WebPCoder(), PNGCoder(), JPEGCoder()])

    /// Of a file that is still coming, coders are asked again for so many bytes, as long as none takes them.
    static let longestHead = 4096

    private let registered: Mutex<[any ImageCoder]>

    /// Coders in ascending order of precedence.
    public init(coders: [any ImageCoder]) {
        registered = Mutex(coders)
    }

    /// The coders in force, in ascending order of precedence.
    public var coders: [any ImageCoder] { registered.withLock { $0 } }

    /// Puts `coder` before all others.
    public func add(_ coder: any ImageCoder) {
        registered.withLock { $0.append(coder) }
    }

    /// Takes out every coder of the type `type`.
    public func removeAll<Coder: ImageCoder>(ofType type: Coder.Type) {
        registered.withLock { $0.removeAll { $0 is Coder } }
    }

    /// Whether any coder takes the bytes.
    public func canDecode(_ data: Data) -> Bool { decoder(for: data) != nil }

    /// What the file says of its picture, within the default limits; see ``ImageCoder/properties(of:isComplete:)``.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try properties(of: data, isComplete: isComplete, options: ImageDecodeOptions())
    }

    /// What the file says of its picture; see ``ImageCoder/properties(of:isComplete:options:)``.
    ///
    /// - Throws: Also ``WebImageError/Code/limitExceeded`` for more bytes than the limits allow.
    public func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties? {
        let limits = options.limits
        guard data.count <= limits.maximumByteCount else { throw .tooManyBytes(data.count, limits) }
        let stopwatch = Stopwatch()
        defer { stopwatch.stop() }
        guard let coder = decoder(for: data) else {
            if !isComplete && data.count < Self.longestHead { return nil }
            throw Self.notAnImage(data)
        }
        return try coder.properties(of: data, isComplete: isComplete, options: options.timed(by: stopwatch))
    }

    /// Whether any coder decodes files of `format`.
    public func canDecode(_ format: ImageFormat) -> Bool { decoder(of: format) != nil }

    /// Decodes by the first coder that takes the bytes, or else by that of the format in ``ImageDecodeOptions/formatHint``.
    ///
    /// - Throws: ``WebImageError/Code/badImageData`` when none does, saying what the bytes look like instead.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let limits = options.limits
        guard data.count <= limits.maximumByteCount else { throw .tooManyBytes(data.count, limits) }
        let stopwatch = Stopwatch()
        defer { stopwatch.stop() }
        let options = options.timed(by: stopwatch)
        if let image = try decodeAsHinted(data, options: options) { return image }
        if let coder = decoder(for: data) { return try coder.decode(data, options: options) }
        guard !data.isEmpty, case .format(let format) = options.formatHint, let coder = decoder(of: format) else {
            throw Self.notAnImage(data)
        }
        do throws(WebImageError) {
            return try coder.decode(data, options: options)
        } catch {
            // Nothing but the hint speaks for this coder, so that what it says of the bytes is not the reason.
            throw error.isCancelled ? error : Self.notAnImage(data, tried: format, failure: error)
        }
    }

    /// Formats without a signature of their own look like others: there a hint goes before the bytes. nil where there is
    /// none such, and where the hint is wrong.
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

    func decoder(for data: Data) -> (any ImageCoder)? { coders.last { $0.canDecode(data) } }

    private func decoder(of format: ImageFormat) -> (any ImageCoder)? { coders.last { $0.canDecode(format) } }

    private func encoder(for format: ImageFormat) -> (any ImageCoder)? { coders.last { $0.canEncode(format) } }
}

extension ImageCodersManager {
    private static func notAnImage(
        _ data: Data, tried hint: ImageFormat? = nil, failure: WebImageError? = nil
    ) -> WebImageError {
        let format = ImageFormat(sniffing: data)
        var finding =
            if data.isEmpty { "the body is empty" } else if format != .undefined {
                "no coder is registered for \(format)"
            } else { "the bytes are \(ImageFormat.impression(of: data)), not a picture" }
        if let hint, let failure { finding += "; tried as \(hint), by its name or a hint: \(failure.reason)" }
        return WebImageError(
            .badImageData, stage: .decode, kind: .permanent, reason: finding, underlying: failure)
    }
}
