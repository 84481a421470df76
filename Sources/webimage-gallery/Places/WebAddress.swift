import FoundationEssentials
import WebImage

nonisolated extension StringProtocol {
    /// Without the spaces at both ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else {
            return ""
        }
        return String(self[first...last])
    }
}

nonisolated extension String {
    /// The address of the folder, for that of a file in it.
    var droppingLastPart: String {
        let folder = String(self[..<(lastIndex(of: "/") ?? endIndex)])
        return folder.hasSuffix("//") ? folder + "/" : folder
    }
}

nonisolated extension URL {
    /// Whether it is one of http or https.
    var isOfWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) }

    /// For people: a path where there is one.
    var title: String { (isFileURL ? path(percentEncoded: false) : abbreviated).withoutControls }

    /// The address that a page or a list names.
    ///
    /// - Parameters:
    ///   - text: The address as it is written, absolute or relative to `base`.
    ///   - source: Where the page or the list is. One on the web has no business with this machine's files and places.
    /// - Returns: nil for what is no address, for one of the web without a host, and for what the source must not name.
    static func named(_ text: String, from base: URL, in source: URL) -> URL? {
        guard let url = URL(webAddress: text, relativeTo: base) else { return nil }
        if url.isOfWeb { return url.host()?.isEmpty == false ? url : nil }
        return source.isOfWeb ? nil : url
    }
}
