import FoundationEssentials
import WebImage

/// A document that was looked at, as far as librsvg gets it.
struct SVGSource {
    /// How much work it makes.
    let work: SVGWork
    /// What librsvg does not get.
    let omissions: [SVGOmission]
    private let text: Data

    /// Looks at the document before librsvg does, which trusts it.
    init(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) {
        var file = try SVGFile(data, limits: options.limits)
        var markup = try file.scan(options: options)
        omissions = markup.omissions
        if !omissions.isEmpty {
            file.leaveOut(omissions)
            // What librsvg gets is looked at as a whole: without an address, tags may end elsewhere.
            markup = try file.scan(options: options)
        }
        guard markup.omissions.isEmpty else {
            throw .damaged(.svg, "data: URLs that are of no picture stand where they cannot be left out")
        }
        work = try Self.checkedWork(of: markup, options: options)
        text = file.text
        try options.checkCancellation()
    }

    private static func checkedWork(
        of markup: SVGMarkup, options: ImageDecodeOptions
    ) throws(WebImageError) -> SVGWork {
        if markup.hidesElements {
            throw .damaged(
                .svg,
                "entities, escapes, defaults of attributes or data: URLs hide elements or references, which is not read"
            )
        }
        if markup.elements.contains(where: \.tag.isImpossible) {
            throw .damaged(.svg, "a filter asks for more than 32 octaves or a kernel of 400 numbers or more")
        }
        if markup.sheet.isImpossible {
            throw .damaged(.svg, "a style sheet asks for a private language, or nests selectors too deep for librsvg")
        }
        let work = try SVGWork(markup, options: options)
        try work.check(options.limits)
        guard markup.isWhole else { throw .truncated(.svg) }
        return work
    }

    /// Parses the document.
    func withDocument<Result>(
        _ body: (borrowing SVGDocument) throws(WebImageError) -> Result
    ) throws(WebImageError) -> Result {
        try text.bytes.withUnsafeBytes { bytes throws(WebImageError) in try body(try SVGDocument(bytes)) }
    }
}
