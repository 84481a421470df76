import FoundationEssentials
import WebImage

/// The kind of document behind an address.
nonisolated enum SourceDocument: Equatable {
    case picture
    /// Addresses, one on each line or in JSON.
    case list
    case page

    /// More is not read of a list or a page.
    static let byteLimit = 16 << 20

    /// Decides by the bytes alone: servers and names are often wrong.
    init(_ data: Data) {
        if Self.isHTML(data) {
            self = .page
        } else if Self.isPicture(data) {
            self = .picture
        } else {
            self = Self.beginsWithTag(data) ? .page : .list
        }
    }

    /// Whether this program can show it.
    private static func isPicture(_ data: Data) -> Bool {
        let format = ImageFormat(sniffing: data)
        guard GalleryCoders.canDecode(format) else { return false }
        // A bitmap begins with two letters, as a text may, and has zeros behind them.
        return format != .bmp || data.prefix(16).contains(0)
    }

    /// Whether the first character is the beginning of a tag.
    private static func beginsWithTag(_ data: Data) -> Bool { text(of: data).first == UInt8(ascii: "<") }

    /// Whether it says that it is HTML: a drawing within such a page is not the page.
    private static func isHTML(_ data: Data) -> Bool {
        let beginning = String(decoding: text(of: data).prefix(14), as: UTF8.self).lowercased()
        return beginning.hasPrefix("<!doctype html") || beginning.hasPrefix("<html")
    }

    /// The bytes after spaces and a byte order mark.
    private static func text(of data: Data) -> Data {
        data.prefix(WebDocument.headCount).drop { $0 <= UInt8(ascii: " ") || "\u{FEFF}".utf8.contains($0) }
    }

    static func tooLarge(_ title: String) -> SourceProblem {
        SourceProblem(message: "\(title): this is no picture, and has more than \(byteLimit >> 20) MB")
    }

    /// The pictures in the bytes at `url`.
    static func pictures(in data: Data, at url: URL) -> FoundPictures {
        let kind = SourceDocument(data)
        guard kind == .picture || data.count <= byteLimit else {
            return FoundPictures(complaints: [tooLarge(url.title).message])
        }
        return switch kind {
        case .picture: FoundPictures(pictures: [FoundPicture(url: url, byteCount: data.count)])
        case .page: pictures(inPage: data, at: url)
        case .list: pictures(inList: data, at: url)
        }
    }

    /// The pictures in the first bytes of a page or a list, which may end within an address; without complaints.
    static func pictures(inPart data: Data, at url: URL) -> FoundPictures {
        let kind = SourceDocument(data)
        let end = kind == .page ? UInt8(ascii: ">") : UInt8(ascii: "\n")
        guard kind != .picture, let last = data.lastIndex(of: end) else { return FoundPictures() }
        return FoundPictures(pictures: pictures(in: data[...last], at: url).pictures)
    }

    private static func pictures(inPage data: Data, at url: URL) -> FoundPictures {
        let pictures = HTMLPictures.pictures(in: data, at: url)
        let complaint = "\(url.title): there are no pictures on this page"
        return FoundPictures(pictures: pictures, complaints: pictures.isEmpty ? [complaint] : [])
    }

    private static func pictures(inList data: Data, at url: URL) -> FoundPictures {
        do throws(SourceProblem) {
            let list = try AddressList(data, at: url)
            return FoundPictures(
                pictures: list.urls.map { FoundPicture(url: $0) },
                complaints: list.refused.prefix(10).map { "\(url.title): left out: \($0.prefix(200))" })
        } catch {
            return FoundPictures(complaints: [error.message])
        }
    }
}
