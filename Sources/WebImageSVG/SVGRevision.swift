/// A document with what librsvg must read in another way to draw it as browsers do.
struct SVGRevision {
    /// The document as librsvg gets it.
    let bytes: [UInt8]
    /// The pictures that are left out.
    let omissions: [SVGOmission]
    /// Whether the root element says which font size it has.
    let hasFontSize: Bool

    init(of text: SVGMarkup) {
        var changes = Changes(text: text)
        var hasFontSize: Bool?
        for tag in SVGStartTags(of: text) {
            hasFontSize = hasFontSize ?? Self.hasFontSize(tag, text)
            changes.look(at: tag)
        }
        bytes = changes.applied
        omissions = changes.omissions
        self.hasFontSize = hasFontSize ?? false
    }

    private static func hasFontSize(_ root: SVGStartTag, _ text: SVGMarkup) -> Bool {
        root.attributes.contains { attribute in
            attribute.localName == "font-size"
                || attribute.localName == "style" && text.string(in: attribute.value).contains("font")
        }
    }
}

/// The texts to write in place of parts of a document, in their order.
private struct Changes {
    let text: SVGMarkup
    private(set) var omissions: [SVGOmission] = []
    private var replacements: [(range: Range<Int>, text: String)] = []

    /// One transparent pixel as PNG: librsvg skips a filter primitive without a picture, but browsers draw it as
    /// transparent.
    private static let transparentPixel =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5C"
        + "YII="

    init(text: SVGMarkup) { self.text = text }

    mutating func look(at tag: SVGStartTag) {
        let showsPicture = tag.name == "image" || tag.name == "feImage"
        guard showsPicture || tag.name.hasPrefix("fe") else { return }
        for attribute in tag.attributes {
            if showsPicture, attribute.localName == "href" {
                correct(attribute.value, of: tag.name)
            } else if attribute.localName == "kernelUnitLength" {
                // Browsers ignore it; librsvg 2.54 ends the process where it makes the filter's surface empty.
                replacements.append((attribute.name, "data-length"))
            }
        }
    }

    private mutating func correct(_ address: Range<Int>, of element: String) {
        guard let url = SVGDataURL(text.bytes[address]) else { return }
        if let type = url.drawnType {
            guard type != url.mediaType || url.hasParameters else { return }
            let head = address.lowerBound..<(address.lowerBound + url.headCount)
            replacements.append((head, url.head(for: type)))
        } else {
            omissions.append(SVGOmission(url))
            replacements.append((address, element == "feImage" ? Self.transparentPixel : ""))
        }
    }

    var applied: [UInt8] {
        guard !replacements.isEmpty else { return text.bytes }
        var (result, place) = ([UInt8](), 0)
        result.reserveCapacity(text.bytes.count)
        for replacement in replacements {
            result += text.bytes[place..<replacement.range.lowerBound]
            result += replacement.text.utf8
            place = replacement.range.upperBound
        }
        return result + text.bytes[place...]
    }
}
