import FoundationEssentials
import WebImageCore
import WebImageHTTP

extension StoredFile {
    /// A part of the file as the answer to a load that wants no more (RFC 9111 §3.3); nil where it may not be used, or has
    /// none of it.
    func part(_ range: ByteRange) -> StoredFile? {
        guard use == .atOnce, var response = answer.response, response.statusCode == 200,
            let bounds = range.range(in: entry.data.count)
        else { return nil }
        var part = entry
        part.data = Data(entry.data.dropFirst(bounds.lowerBound).prefix(bounds.count))
        response.statusCode = 206
        response.headers["content-range"] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(entry.data.count)"
        response.headers["content-length"] = "\(bounds.count)"
        return StoredFile(
            entry: part, answer: CachedAnswer(response: response, isStale: answer.isStale), generation: generation)
    }
}
