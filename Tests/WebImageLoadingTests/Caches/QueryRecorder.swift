import FoundationEssentials
import Testing
import WebImageCore
import WebImageTesting

/// The result of a cache query as words: `disk 40x40 with data`, `none`, `cancelled`.
final class QueryRecorder: Sendable {
    private let results = Observed<[Result<ImageCacheResult?, WebImageError>]>([])

    var completion: ImageCacheResult.Completion {
        { result in self.results.update { $0.append(result) } }
    }

    var words: [String] { results.value.map(Self.word) }
    var images: [Image] { results.value.compactMap { try? $0.get()?.image } }

    /// The words, once there are any.
    func ending() async throws -> [String] { try await endings(1) }

    /// The words, once there are `count`.
    func endings(_ count: Int) async throws -> [String] {
        try await results.wait { $0.count >= count }
        return words
    }

    private static func word(_ result: Result<ImageCacheResult?, WebImageError>) -> String {
        switch result {
        case .success(let result?):
            let size = result.image.pixelSize
            return "\(result.cacheType) \(size.width)x\(size.height)\(result.data == nil ? "" : " with data")"
        case .success: return "none"
        case .failure(let error): return error.isCancelled ? "cancelled" : "error \(error.code.rawValue)"
        }
    }
}

extension WebImageContext {
    /// A context with callbacks on the thread that has the answer.
    static func coder(_ coder: any ImageCoder, _ configure: (inout WebImageContext) -> Void = { _ in })
        -> WebImageContext
    {
        var context = WebImageContext()
        context.coder = coder
        context.callbackQueue = .current
        configure(&context)
        return context
    }
}
