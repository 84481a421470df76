import FoundationEssentials
import WebImageCache
import WebImageTesting

/// A tier that is a dictionary, whose reads and removals a test may hold.
final class DictionaryTier: ImageCacheTier {
    let entries = Observed<[String: Data]>([:])
    /// The paths that were read.
    let reads = Observed<[String]>([])
    private let gate: Gate?
    private let failure: (any Error)?

    init(after gate: Gate? = nil, failure: (any Error)? = nil) {
        self.gate = gate
        self.failure = failure
    }

    func bytes(at path: String) async throws -> Data? {
        let bytes = entries.value[path]
        reads.update { $0.append(path) }
        // The bytes may be old when they arrive.
        try await gate?.wait()
        if let failure { throw failure }
        return bytes
    }

    func store(_ bytes: Data, at path: String) throws {
        if let failure { throw failure }
        entries.update { $0[path] = bytes }
    }

    func remove(at path: String) async throws {
        try await gate?.wait()
        if let failure { throw failure }
        entries.update { entries in entries = entries.filter { !$0.key.hasPrefix(path) } }
    }
}
