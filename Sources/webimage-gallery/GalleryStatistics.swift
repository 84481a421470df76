import FoundationEssentials
import WebImage

/// The number of pictures from each source.
struct GalleryStatistics {
    private(set) var network = 0
    /// Those that were not in a cache, and came from files or other places than the web.
    private(set) var files = 0
    private(set) var disk = 0
    private(set) var memory = 0
    private(set) var failed = 0
    /// The bytes of the transferred bodies.
    private(set) var byteCount = 0

    var loaded: Int { network + files + disk + memory }

    /// Counts the end of a load, but not a cancelled one, whose cell was reused for another picture.
    mutating func count(_ result: Result<LoadResult, WebImageError>) {
        switch result {
        case .success(let success) where success.cacheType == .memory: memory += 1
        case .success(let success) where success.cacheType == .disk: disk += 1
        case .success(let success) where !success.isFromWeb: files += 1
        case .success(let success):
            network += 1
            byteCount += success.byteCount
        case .failure(let error) where error.isCancelled: break
        case .failure: failed += 1
        }
    }

    /// One line for a terminal.
    var summary: String {
        let fromFiles = files > 0 ? "\(files) from files, " : ""
        return "\(loaded) pictures loaded: \(network) from the network (\(byteCount.inMegabytes)), \(fromFiles)"
            + "\(disk) from disk, \(memory) from memory; \(failed) failed"
    }
}

extension LoadResult {
    /// Whether its address is one of the web.
    var isFromWeb: Bool { url.isOfWeb }
}
