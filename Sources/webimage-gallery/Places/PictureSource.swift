import FoundationEssentials
import WebImage

/// A place of pictures, as a person names it: on the command line, by a drop, or in the remembered state.
nonisolated enum PictureSource: Hashable, Sendable {
    /// A web address: of a picture, a list of addresses, or a page.
    case web(URL)
    /// A picture within its address.
    case inline(URL)
    /// A file or a folder that GIO opens, by its URI: `file:`, `mtp:`, `sftp:` and others.
    case place(String)

    /// The place that an argument names.
    ///
    /// - Parameters:
    ///   - argument: A path, or an address with a scheme.
    ///   - directory: Where relative paths begin.
    /// - Returns: nil for what is neither: nothing at all, or a web address without a host.
    init?(_ argument: String, in directory: String = FileManager.default.currentDirectoryPath) {
        guard !argument.isEmpty, !argument.utf8.contains(0) else { return nil }
        switch Self.scheme(of: argument) {
        case "http", "https":
            guard let url = URL(webAddress: argument), url.host()?.isEmpty == false else { return nil }
            self = .web(url)
        case "data":
            guard let url = URL(webAddress: argument) else { return nil }
            self = .inline(url)
        case .some: self = .place(argument)
        case nil:
            let folder = URL(filePath: directory, directoryHint: .isDirectory)
            let path = URL(filePath: argument, relativeTo: folder).absoluteURL
            self = .place(path.standardized.absoluteString)
        }
    }

    /// The text that ``init(_:in:)`` reads again.
    var address: String {
        switch self {
        case .web(let url), .inline(let url): url.absoluteString
        case .place(let uri): uri
        }
    }

    /// The same as a URL; nil where the address is none.
    var url: URL? {
        switch self {
        case .web(let url), .inline(let url): url
        case .place(let uri): URL(string: uri)
        }
    }

    /// Whether it is a file or a folder.
    var isPlace: Bool { if case .place = self { true } else { false } }

    /// For people: a path where there is one.
    var title: String {
        if case .inline = self { return "data:…" }
        return url?.title ?? address
    }

    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    /// The scheme in small letters; nil for a path, also for one such as `a:b.jpg`.
    private static func scheme(of argument: String) -> String? {
        guard let colon = argument.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = argument[..<colon].lowercased()
        let isName =
            name.utf8.first.map(letters.contains) == true
            && name.utf8.allSatisfy { letters.contains($0) || digits.contains($0) || "+-.".utf8.contains($0) }
        guard isName else { return nil }
        return argument[colon...].hasPrefix("://") || ["data", "file"].contains(name) ? name : nil
    }
}
