import FoundationEssentials
import WebImage

@testable import WebImageSVG

/// Reads an SVG as far as the library does. librsvg, which draws it, ends the process on some documents: those of strangers
/// are drawn in processes of their own.
struct FuzzedSVG: FuzzTarget {
    func run(_ bytes: Data) {
        var limits = ImageLimits()
        limits.maximumByteCount = 1 << 20
        guard let text = try? SVGFile.text(of: bytes, limits: limits) else { return }
        let revision = SVGRevision(of: text)
        precondition(
            SVGRevision(of: SVGMarkup(bytes: revision.bytes)).bytes == revision.bytes, "something was overlooked")
    }
}
