import FoundationEssentials
import WebImage

/// The pictures of a web page: those that it shows, those that it links to, and the one that stands for it.
nonisolated struct HTMLPictures {
    /// A page with more is cut off.
    static let limit = 10_000

    private var addresses: [String] = []
    private var base: String?
    /// Of a `<picture>`, until its `<img>`.
    private var pendingSource: String?
    /// A link to a picture takes the place of the picture in it.
    private var isInLink = false

    /// The addresses in their order, each once.
    static func urls(in data: Data, at page: URL) -> [URL] {
        var finder = HTMLPictures()
        for tag in HTMLTags(data) {
            finder.read(tag)
            if finder.addresses.count >= limit { break }
        }
        finder.flushSource()
        return finder.resolved(at: page)
    }

    private mutating func read(_ tag: HTMLTags.Tag) {
        let attributes = tag.attributes
        switch (tag.name, tag.isEnd) {
        case ("base", false): base = base ?? attributes["href"]
        case ("meta", false): readMeta(attributes)
        case ("a", _): readLink(tag.isEnd ? nil : attributes["href"])
        case ("source", false): readSource(attributes)
        case ("img", false): readPicture(attributes)
        case ("picture", _): flushSource()
        default: break
        }
    }

    private mutating func readMeta(_ attributes: [String: String]) {
        let names = ["og:image", "og:image:url", "og:image:secure_url", "twitter:image"]
        guard let name = attributes["property"] ?? attributes["name"], names.contains(name.lowercased()) else { return }
        note(attributes["content"])
    }

    private mutating func readLink(_ address: String?) {
        isInLink = address.map { ImageFormat.isPicture(named: Self.path(of: $0)) } ?? false
        if isInLink { note(address) }
    }

    /// The first source whose format can be shown.
    private mutating func readSource(_ attributes: [String: String]) {
        guard pendingSource == nil, let set = attributes["srcset"] ?? attributes["data-srcset"],
            attributes["type"].map({ ImageFormat.isPicture(ofType: $0) }) ?? true
        else { return }
        pendingSource = SourceSet.largest(set)
    }

    private mutating func readPicture(_ attributes: [String: String]) {
        defer { (pendingSource, isInLink) = (nil, false) }
        guard !isInLink else { return }
        // Pages that load late have something small in `src`.
        let late = attributes["data-src"] ?? attributes["data-original"] ?? attributes["data-lazy-src"]
        let set = (attributes["srcset"] ?? attributes["data-srcset"]).flatMap(SourceSet.largest)
        note(pendingSource ?? set ?? late ?? attributes["src"])
    }

    /// A `<picture>` has ended without an `<img>`.
    private mutating func flushSource() {
        note(pendingSource)
        pendingSource = nil
    }

    private mutating func note(_ address: String?) {
        guard let address, !address.isEmpty else { return }
        addresses.append(address)
    }

    private static func path(of address: String) -> String { String(address.prefix { $0 != "?" && $0 != "#" }) }

    // MARK: Addresses

    private func resolved(at page: URL) -> [URL] {
        let base = base.flatMap { Self.url($0, relativeTo: page) } ?? page
        var seen: Set<URL> = []
        return addresses.compactMap { Self.url($0, relativeTo: base) }
            // A page from the web has no business with this machine's files.
            .filter { ["http", "https"].contains($0.scheme) || $0.scheme == page.scheme }
            .filter { seen.insert($0).inserted }
    }

    private static func url(_ address: String, relativeTo base: URL) -> URL? {
        let text = address.filter { !$0.isNewline && $0 != "\t" }.prefix { $0 != "#" }
        let trimmed = text.drop(while: \.isWhitespace)
        guard !trimmed.isEmpty, let url = URL(string: String(trimmed), relativeTo: base)?.absoluteURL else {
            return nil
        }
        let needsHost = ["http", "https"].contains(url.scheme)
        return needsHost && url.host()?.isEmpty ?? true ? nil : url
    }
}
