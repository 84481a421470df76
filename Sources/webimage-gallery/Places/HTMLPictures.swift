import FoundationEssentials
import WebImage

/// The pictures of a web page: those that it shows, those that it links to, and the one that stands for it.
nonisolated struct HTMLPictures {
    /// A page with more is cut off.
    static let limit = 10_000

    /// An address as the page has it.
    private struct Found {
        let address: String
        /// The picture within a link to another one.
        var preview: String?
    }

    private var found: [Found] = []
    private var base: String?
    /// Of a `<picture>`, until its `<img>`.
    private var pendingSource: String?
    /// Of a source for screens of one kind, such as a part of the picture for phones: for the case that there is no other.
    private var pendingPart: String?
    /// A link to a picture takes the place of the picture in it.
    private var isInLink = false

    /// The pictures in their order, each once.
    static func pictures(in data: Data, at page: URL) -> [FoundPicture] {
        var finder = HTMLPictures()
        for tag in HTMLTags(data) {
            finder.read(tag)
            if finder.found.count >= limit { break }
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
        isInLink = address.map(Self.isPicture) ?? false
        if isInLink { note(address) }
    }

    /// Whether a link leads to a picture, and not to a page about one, such as `/wiki/File:a.jpg` or `/blob/main/a.jpg`.
    private static func isPicture(_ address: String) -> Bool {
        let path = address.trimmed.prefix { $0 != "?" && $0 != "#" }
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        guard !name.contains(":"), !name.lowercased().contains("%3a"), !path.contains("/blob/") else { return false }
        return ImageFormat.isPicture(named: String(name))
    }

    /// The first source whose format can be shown.
    private mutating func readSource(_ attributes: [String: String]) {
        guard attributes["type"].map({ ImageFormat.isPicture(ofType: $0) }) ?? true else { return }
        if attributes["media"] == nil {
            pendingSource = pendingSource ?? Self.set(attributes)
        } else {
            pendingPart = pendingPart ?? Self.set(attributes)
        }
    }

    private mutating func readPicture(_ attributes: [String: String]) {
        defer { (pendingSource, pendingPart, isInLink) = (nil, nil, false) }
        // Pages that load late have something small in `src`.
        let late = attributes["data-src"] ?? attributes["data-original"] ?? attributes["data-lazy-src"]
        let usual = attributes["src"].flatMap { $0.lowercased().hasPrefix("data:") ? nil : $0 }
        let address = pendingSource ?? Self.set(attributes) ?? late ?? usual ?? pendingPart
        if isInLink, let last = found.indices.last { found[last].preview = address } else { note(address) }
    }

    /// The largest picture of a set; the one for pages that load late is before what stands in for it.
    private static func set(_ attributes: [String: String]) -> String? {
        ["data-srcset", "srcset"].lazy.compactMap { attributes[$0].flatMap(SourceSet.largest) }.first
    }

    /// A `<picture>` has ended without an `<img>`.
    private mutating func flushSource() {
        note(pendingSource ?? pendingPart)
        (pendingSource, pendingPart) = (nil, nil)
    }

    private mutating func note(_ address: String?) {
        guard let address, !address.isEmpty else { return }
        found.append(Found(address: address))
    }

    // MARK: Addresses

    private func resolved(at page: URL) -> [FoundPicture] {
        let base = base.flatMap { Self.url($0, from: page, in: page) } ?? page
        let url = { Self.url($0, from: base, in: page) }
        var seen: Set<URL> = []
        return found.compactMap { found in
            guard let address = url(found.address), seen.insert(address).inserted else { return nil }
            return FoundPicture(url: address, preview: found.preview.flatMap(url))
        }
    }

    /// nil also for what is neither on the web nor where the page is.
    private static func url(_ address: String, from base: URL, in page: URL) -> URL? {
        let text = address.filter { !$0.isNewline && $0 != "\t" }.prefix { $0 != "#" }.trimmed
        guard !text.isEmpty, let url = URL.named(text, from: base, in: page) else { return nil }
        return url.isOfWeb || url.scheme?.lowercased() == page.scheme?.lowercased() ? url : nil
    }
}
