import FoundationEssentials
import WebImageCore

/// The rules for going on with an interrupted transfer (RFC 9110 §13.1.5, §14, §15.3.7).
enum Resumption {
    /// Less is not worth a request of its own kind.
    static let leastByteCount = 16 << 10

    /// The fields that ask for what follows `body`, or for the whole if that has changed.
    static func fields(after body: PartialBody) -> [String: String] {
        ["Range": "bytes=\(body.data.count)-", "If-Range": body.validator]
    }

    /// The whole length, if the body of `head` is that of the same file, and all that follows `body`; nil where the transfer
    /// has to begin again. Parts may be joined only by a strong validator that both have (RFC 9110 §15.3.7.3).
    static func totalByteCount(_ head: ReceivedHead, after body: PartialBody) -> Int? {
        let response = head.response
        // The parts of multipart/byteranges have heads of their own among their bytes (RFC 9110 §15.3.7.2).
        let isOfParts = response.headers["content-type"]?.lowercased().hasPrefix("multipart/byteranges") ?? false
        guard response.statusCode == 206, !response.isEncoded, !isOfParts, let range = ContentRange(response),
            range.first == body.data.count, range.last == range.total - 1,
            range.total == body.totalByteCount ?? range.total,
            head.expectedByteCount.map({ $0 == range.total - range.first }) ?? true,
            (response.headers["etag"] ?? response.headers["last-modified"]) == body.validator
        else { return nil }
        return range.total
    }

    /// Whether the head of a response to a request for the rest is of use as it is: it is that of the whole, or says why
    /// there is none. All others mean the part.
    static func isOfWhole(_ response: HTTPResponse) -> Bool {
        response.statusCode == 200 || (400...).contains(response.statusCode) && response.statusCode != 416
    }

    /// The validator that a later transfer needs to go on after `response`; nil if the server would not send the rest,
    /// or might send that of other bytes.
    static func validator(of response: HTTPResponse) -> String? {
        guard response.statusCode == 200, !response.isEncoded,
            response.headers["accept-ranges"]?.lowercased() != "none",
            response.headers["cache-control"]?.lowercased().contains("no-store") != true
        else { return nil }
        if let tag = response.headers["etag"] { return tag.hasPrefix("\"") ? tag : nil }
        // A date is strong where the file cannot have changed twice in its second (RFC 9110 §8.8.2.2).
        guard let modified = response.headers["last-modified"], let date = response.headers["date"],
            let change = HTTPDate(modified, now: Date())?.date, let answer = HTTPDate(date, now: Date())?.date,
            answer.timeIntervalSince(change) >= 1
        else { return nil }
        return modified
    }

    private struct ContentRange {
        let first: Int
        let last: Int
        let total: Int

        init?(_ response: HTTPResponse) {
            let parts =
                response.headers["content-range"]?.lowercased().split { $0 == " " || $0 == "-" || $0 == "/" } ?? []
            guard parts.count == 4, parts[0] == "bytes", let first = Int(parts[1]), let last = Int(parts[2]),
                let total = Int(parts[3])
            else { return nil }
            (self.first, self.last, self.total) = (first, last, total)
        }
    }
}
