import FoundationEssentials
import Synchronization
import WebImageCore
import WebImageLoading

/// Names pictures as the test says; by default by the last part of their path.
struct ScriptedKeyFilter: CacheKeyFilter {
    var name: @Sendable (URL) -> String? = { $0.lastPathComponent }

    func cacheKey(for url: URL) -> String? { name(url) }
}

/// Leaves the body and the request as they are: what matters is that they are there.
struct UnchangingDecryptor: DownloadDecryptor {
    func decrypt(_ data: Data, response: HTTPResponse?) -> Data? { data }
}

/// Writes bytes of its own, and records its input.
final class ScriptedSerializer: CacheSerializer {
    struct Call: Sendable {
        let size: PixelSize?
        let original: Data?
    }

    private let output: Data?
    private let seen = Mutex<[Call]>([])

    /// - Parameter output: The bytes; nil leaves them to the cache.
    init(_ output: Data?) { self.output = output }

    var calls: [Call] { seen.withLock { $0 } }

    func data(for image: Image?, originalData data: Data?, url: URL) -> Data? {
        seen.withLock { $0.append(Call(size: image?.pixelSize, original: data)) }
        return output
    }
}

/// A delegate that the test scripts, with a count of its calls.
final class ScriptedDelegate: WebImageManagerDelegate {
    private let allows: Bool
    private let blocks: Bool?
    private let questions = Mutex((downloads: 0, failures: 0))

    init(allows: Bool = true, blocks: Bool? = nil) {
        self.allows = allows
        self.blocks = blocks
    }

    var downloadQuestions: Int { questions.withLock { $0.downloads } }
    var failureQuestions: Int { questions.withLock { $0.failures } }

    func shouldDownloadImage(for url: URL) -> Bool {
        questions.withLock { $0.downloads += 1 }
        return allows
    }

    func shouldBlockFailedURL(_ url: URL, error: WebImageError) -> Bool? {
        questions.withLock { $0.failures += 1 }
        return blocks
    }
}
