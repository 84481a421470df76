import WebImageCore
import WebImageHTTP

/// The answer of a server that has the same picture as the cache.
struct CurrentAnswer: Sendable {
    enum Form {
        /// It says so, with new fields.
        case notModified(HTTPResponse)
        /// It has sent the same bytes, with this head.
        case sameBytes(HTTPRecord)
    }

    let form: Form
    /// The times of the exchange; nil for loaders that do not measure them.
    let metrics: TransferMetrics?
}

/// A picture of a cache whose server is asked for a newer one.
final class CachedPicture: Sendable {
    /// The picture; nil as long as it is not decoded, because it may not be used before the server has answered.
    let result: LoadResult?
    /// The original's file; nil when it is not on the disk.
    let file: StoredFile?
    /// How it may be used.
    let use: CachedUse
    /// The file from which an undecoded picture is decoded.
    let source: DiskFile

    /// A picture that is decoded.
    ///
    /// - Parameter use: Unless the file says it.
    init(result: LoadResult, file: StoredFile?, use: CachedUse = .whileRevalidated) {
        self.result = result
        self.file = file
        self.use = file?.use ?? use
        source = .original
    }

    /// A file that is not decoded yet.
    init(_ file: StoredFile, from source: DiskFile) {
        result = nil
        self.file = file
        use = file.use
        self.source = source
    }

    private init(result: LoadResult?, file: StoredFile?, source: DiskFile) {
        self.result = result
        self.file = file
        self.source = source
        use = .atOnce
    }

    /// The same picture, of which the server has said that it is current.
    func validated(_ result: LoadResult?, _ file: StoredFile?) -> CachedPicture {
        CachedPicture(result: result, file: file, source: source)
    }

    /// The response that the picture came with.
    var record: HTTPRecord? { file?.record ?? result?.image.origin.record }

    /// Whether the picture was made of this file: another load may have stored a newer file meanwhile. A picture that an
    /// app put into memory counts as made of it. The source of a derived picture's own file may be
    /// unknown.
    func isOfItsFile(_ plan: LoadPlan) -> Bool {
        guard let file, let result else { return true }
        guard let source = result.image.source else { return !plan.isDerived }
        return file.fingerprint == source
    }

    /// Whether it may be used although its server has not answered, or with this error (RFC 5861).
    func mayBeUsed(after error: WebImageError) -> Bool {
        guard !error.isCancelled, error.kind == .transient || error.isOfServer else { return false }
        return use == .whileRevalidated || use == .afterRevalidation(evenOnErrors: true)
    }

    /// The same for a response that is an error, to a load that accepts those.
    func mayBeUsed(insteadOf response: ImageLoadResponse) -> Bool {
        guard let status = response.http?.statusCode, WebImageError.serverErrors.contains(status) else { return false }
        return use == .whileRevalidated || use == .afterRevalidation(evenOnErrors: true)
    }
}

extension WebImageError {
    /// RFC 5861 §4.
    fileprivate static let serverErrors: Set = [500, 502, 503, 504]

    fileprivate var isOfServer: Bool { statusCode.map(Self.serverErrors.contains) ?? false }
}
