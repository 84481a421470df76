/// Checks of a request's head, before its path is read.
enum RequestHead {
    /// The reason to refuse a request; nil for one that all programs on its way read in the same way (RFC 9112 §3.2 and §6.3). No
    /// method here has a body.
    ///
    /// - Parameter fields: By names in lower case; several of one name are one list.
    static func fault(_ fields: [String: String]) -> String? {
        if fields["transfer-encoding"] != nil || fields["content-length"].map({ $0 != "0" }) == true {
            return "a request for a picture has no body"
        }
        if fields["host"]?.contains(",") == true { return "the request has more than one Host" }
        return fields.keys.contains { !$0.utf8.allSatisfy(isToken) } ? "a field's name has other than letters" : nil
    }

    /// The path and query of a target that may be a whole address (RFC 9112 §3.2.2).
    static func originForm(_ target: String) -> String {
        guard let scheme = ["http://", "https://"].first(where: { target.lowercased().hasPrefix($0) }) else {
            return target
        }
        let rest = target.dropFirst(scheme.count)
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }

    /// RFC 9110 §5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
