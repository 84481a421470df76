import FoundationEssentials
import Synchronization
import WebImageCore

/// The bytes of a source: in memory, or on the disk as long as a request waits, so that requests which wait do not fill the
/// memory. Any thread.
final class HeldSource: Sendable {
    typealias Reading = @Sendable () throws(WebImageError) -> Data

    private enum Place {
        case memory(Data)
        case cache(Reading)
        case file(TemporaryFile, count: Int)
    }

    private let place: Mutex<Place>
    private let cached: Reading?

    /// Smaller ones stay in memory.
    private static let leastByteCount = 64 << 10

    /// - Parameter cached: Reads them from a cache; nil for bytes that none has.
    init(_ data: Data, cached: Reading?) {
        place = Mutex(.memory(data))
        self.cached = cached
    }

    var isInMemory: Bool {
        place.withLock { place in
            if case .memory = place { true } else { false }
        }
    }

    /// Leaves the memory, where the disk has room. Blocks for bytes that no cache has.
    func letGo() {
        place.withLock { place in
            guard case .memory(let data) = place, data.count > Self.leastByteCount else { return }
            if let cached {
                place = .cache(cached)
            } else if let file = try? TemporaryFile(), (try? data.withUnsafeBytes({ try file.write($0, at: 0) })) != nil
            {
                place = .file(file, count: data.count)
            }
        }
    }

    /// The bytes. Blocks where the disk has them.
    func bytes() throws(WebImageError) -> Data {
        // Out of the lock: another thread may ask where they are.
        switch place.withLock({ $0 }) {
        case .memory(let data): return data
        case .cache(let read): return try read()
        case .file(let file, let count):
            var data = Data(count: count)
            do {
                try data.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
            } catch {
                throw WebImageError(
                    .cancelled, stage: .disk, kind: .transient, reason: "the source cannot be read again; ask again")
            }
            return data
        }
    }
}
