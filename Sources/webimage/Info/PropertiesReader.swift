import FoundationEssentials
import Synchronization
import WebImage

/// Reads a picture's properties from as few of its bytes as possible, and then cancels the load.
final class PropertiesReader: Sendable {
    struct Finding: Sendable {
        let properties: ImageProperties
        /// The size of the whole file; nil when the server did not say and the file was not read to its end.
        let byteCount: Int?
    }

    private struct Prefix {
        var bytes = Data()
        /// The number of bytes from which the next look is worthwhile.
        var nextLook = 0
        var expectedByteCount: Int?
    }

    /// The result known before the end of the load.
    private typealias Verdict = Result<Finding, WebImageError>

    private let coder = ImageCodersManager.shared
    private let options: ImageDecodeOptions
    private let task = DeferredCancellation()
    private let prefix = Mutex(Prefix())
    private let verdict = Mutex<Verdict?>(nil)
    /// The finding in the beginning, which the end may change.
    private let likely = Mutex<Finding?>(nil)

    private init(_ options: ImageDecodeOptions) { self.options = options }

    /// - Throws: The errors of the loader or the coder; ``WebImageError/Code/cancelled`` when the task was cancelled.
    static func read(
        _ url: URL, _ transfer: RequestOptions, _ options: ImageDecodeOptions, loader: any ImageLoader
    ) async throws(WebImageError) -> Finding {
        let reader = PropertiesReader(options)
        var request = transfer.request(for: url)
        request.reportsData = true
        let ending = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                reader.start(request, loader) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            reader.task.cancel()
        }
        if let verdict = reader.verdict.withLock({ $0 }) { return try verdict.get() }
        do throws(WebImageError) {
            return try read(try ending.get().data, options)
        } catch {
            guard !error.isCancelled, let likely = reader.likely.withLock({ $0 }) else { throw error }
            return likely
        }
    }

    /// - Throws: The errors of the coder.
    static func read(_ data: Data, _ options: ImageDecodeOptions) throws(WebImageError) -> Finding {
        let coder = ImageCodersManager.shared
        guard let properties = try coder.properties(of: data, isComplete: true, options: options) else {
            throw .unreadableHeader
        }
        return Finding(properties: properties, byteCount: data.count)
    }

    private func start(
        _ request: ImageLoadRequest, _ loader: any ImageLoader,
        ended: @escaping @Sendable (Result<ImageLoadResponse, WebImageError>) -> Void
    ) {
        task.attach(
            loader.load(request) { event in
                switch event {
                case .progress(let progress): self.prefix.withLock { $0.expectedByteCount = progress.expectedByteCount }
                case .data(let bytes): self.take(bytes)
                case .finished(let result): ended(result)
                }
            })
    }

    /// Examines the header on the loader's thread, which reads nothing meanwhile.
    private func take(_ bytes: Data) {
        let isSettled = verdict.withLock { $0 != nil } || likely.withLock { $0 != nil }
        guard !isSettled, let known = append(bytes), let found = look(at: known) else { return }
        if case .success(let finding) = found, Self.mayBeTurned(finding.properties) {
            likely.withLock { $0 = finding }
            prefix.withLock { $0.bytes = Data() }
        } else {
            verdict.withLock { $0 = found }
            task.cancel()
        }
    }

    private func look(at known: Prefix) -> Verdict? {
        do throws(WebImageError) {
            return try coder.properties(of: known.bytes, isComplete: false, options: options).map {
                .success(Finding(properties: $0, byteCount: known.expectedByteCount))
            }
        } catch {
            return .failure(error)
        }
    }

    /// The eXIf chunk of a PNG may follow its pixels, and nothing announces it (PNG third edition §11.3.4).
    private static func mayBeTurned(_ properties: ImageProperties) -> Bool {
        properties.format == .png && properties.orientation == .up
    }

    /// The file so far, once it has grown enough: examining every piece would take quadratic time.
    private func append(_ bytes: Data) -> Prefix? {
        prefix.withLock { prefix in
            prefix.bytes.append(bytes)
            guard prefix.bytes.count >= prefix.nextLook else { return nil }
            prefix.nextLook = prefix.bytes.count + prefix.bytes.count / 4
            return prefix
        }
    }
}

extension WebImageError {
    fileprivate static let unreadableHeader = WebImageError(
        .truncatedImageData, stage: .decode, kind: .permanent, reason: "the file ends before its header does")
}
