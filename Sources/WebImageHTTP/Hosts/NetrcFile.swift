import FoundationEssentials
import WebImageCore

/// The names and passwords of a file in netrc's format, by host. libcurl reads the file itself for its requests; here it
/// tells whose rights a load has.
struct NetrcFile: Sendable {
    private var credentials: [String: DownloadCredential] = [:]
    private var others: DownloadCredential?

    /// Nil for a file that cannot be read.
    init?(path: String) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        self.init(text: text)
    }

    /// Unknown words are ignored, and the first entry of a host counts, as in libcurl.
    init(text: String) {
        var words = Self.words(of: text).makeIterator()
        var entry: Entry?
        while let word = words.next() {
            switch word {
            case "machine", "default":
                add(entry)
                entry = Entry(host: word == "machine" ? words.next()?.lowercased() : nil)
            case "login": entry?.user = words.next() ?? ""
            case "password": entry?.password = words.next() ?? ""
            default: break
            }
        }
        add(entry)
    }

    /// The credential for a host; that of `default` where none is its own.
    func credential(for host: String) -> DownloadCredential? { credentials[host.lowercased()] ?? others }

    private struct Entry {
        let host: String?
        var user = ""
        var password = ""
    }

    private mutating func add(_ entry: Entry?) {
        guard let entry else { return }
        let credential = DownloadCredential(user: entry.user, password: entry.password)
        if let host = entry.host {
            credentials[host] = credentials[host] ?? credential
        } else {
            others = others ?? credential
        }
    }

    /// Without comments, and without macros, which end at an empty line.
    private static func words(of text: String) -> [String] {
        var isMacro = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
            if words.isEmpty { isMacro = false }
            guard !isMacro, words.first?.hasPrefix("#") != true else { return [] }
            guard let macro = words.firstIndex(of: "macdef") else { return words.map(Self.unquoted) }
            isMacro = true
            return words[..<macro].map(Self.unquoted)
        }
    }

    private static func unquoted(_ word: String) -> String {
        word.count > 1 && word.hasPrefix("\"") && word.hasSuffix("\"") ? String(word.dropFirst().dropLast()) : word
    }
}
