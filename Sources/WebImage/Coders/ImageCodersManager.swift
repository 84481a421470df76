import FoundationEssentials
import Synchronization

/// The coders that a load may use: the last one registered that says it can decode the bytes does.
///
/// ```swift
/// ImageCodersManager.shared.add(MyCoder())
/// ```
/// It is a coder itself. A coder that accepted the bytes and failed ends the matter: the next one is not asked. Safe to
/// use and to change from any thread.
public final class ImageCodersManager: ImageCoder {
    /// The coders of every load whose context names none: JPEG, PNG, WebP and GIF to begin with,
    /// and PAM to write.
    public static let shared = ImageCodersManager(
        coders: [PAMEncoder(), GIFCoder(), WebPCoder(), PNGCoder(), JPEGCoder()])

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

    /// What the file says of its picture; see ``ImageCoder/properties(of:isComplete:)``.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        guard let coder = decoder(for: data) else {
            if !isComplete && data.count < ImageFormat.sniffedByteCount { return nil }
            throw Self.notAnImage(data)
        }
        return try coder.properties(of: data, isComplete: isComplete)
    }

    /// Decodes by the first coder that takes the bytes.
    ///
    /// - Throws: ``WebImageError/Code/badImageData`` when none does, saying what the bytes look like instead.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        guard data.count <= options.limits.maximumByteCount else { throw Self.tooManyBytes(data, options.limits) }
        guard let coder = decoder(for: data) else { throw Self.notAnImage(data) }
        return try coder.decode(data, options: options)
    }

    /// Whether any coder writes `format`.
    public func canEncode(_ format: ImageFormat) -> Bool { encoder(for: format) != nil }

    /// Encodes by the first coder that writes `format`.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        guard let coder = encoder(for: format) else {
            throw WebImageError(
                .encodeFailed, stage: .encode, kind: .permanent,
                reason: "no coder writes \(format); use JPEG, PNG or WebP, or register a coder for it")
        }
        return try coder.encode(image, to: format, options: options)
    }

    private func decoder(for data: Data) -> (any ImageCoder)? { coders.last { $0.canDecode(data) } }

    private func encoder(for format: ImageFormat) -> (any ImageCoder)? { coders.last { $0.canEncode(format) } }
}

extension ImageCodersManager {
    private static func notAnImage(_ data: Data) -> WebImageError {
        let format = ImageFormat(sniffing: data)
        let finding =
            if data.isEmpty { "the body is empty" } else if format != .undefined {
                "no coder is registered for \(format)"
            } else { "the bytes are \(ImageFormat.impression(of: data)), not a picture" }
        return WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: finding)
    }

    private static func tooManyBytes(_ data: Data, _ limits: ImageLimits) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason: "the file has \(data.count) bytes and \(limits.maximumByteCount) are allowed; "
                + "raise ImageLimits.maximumByteCount to take it")
    }
}
