import CRSVG
import FoundationEssentials
import WebImageCore

/// A parsed SVG, drawn by librsvg on a cairo surface.
///
/// librsvg gets the bytes without a base URL, and so loads no reference except `data:` URLs. Without the flag for
/// unlimited files libxml2 keeps its own limits on depth and entities.
struct SVGDocument: ~Copyable {
    private let handle: OpaquePointer
    private let hasFontSize: Bool

    /// - Parameters:
    ///   - bytes: XML, uncompressed.
    ///   - hasFontSize: Whether the root element says its font size: librsvg and browsers have other ones where none is said.
    init(_ bytes: UnsafeRawBufferPointer, hasFontSize: Bool) throws(WebImageError) {
        var message = webimage_svg_message()
        guard let handle = webimage_svg_open(bytes.baseAddress, bytes.count, &message) else {
            throw .damaged(.svg, Self.text(of: message))
        }
        self.handle = handle
        self.hasFontSize = hasFontSize
    }

    deinit { webimage_svg_close(handle) }

    /// The size attributes of the document.
    var intrinsicSize: SVGIntrinsicSize {
        let size = webimage_svg_intrinsic_size(handle, hasFontSize)
        return SVGIntrinsicSize(
            width: size.width.isNaN ? nil : size.width, height: size.height.isNaN ? nil : size.height,
            viewBox: size.view_box_width.isNaN ? nil : (size.view_box_width, size.view_box_height))
    }

    /// Draws the document over the existing pixels: cairo's words of premultiplied alpha, red, green,
    /// blue.
    ///
    /// - Parameters:
    ///   - size: The size in whole pixels, beyond which nothing is drawn.
    ///   - scaled: The size that the document is scaled to.
    func draw(
        on rows: UnsafeMutablePointer<UInt8>, bytesPerRow: Int, size: PixelSize,
        scaledTo scaled: (width: Double, height: Double)
    ) throws(WebImageError) {
        var message = webimage_svg_message()
        let isDrawn = webimage_svg_draw(
            handle, rows, bytesPerRow, UInt32(size.width), UInt32(size.height), scaled.width, scaled.height, &message)
        guard isDrawn else { throw .damaged(.svg, Self.text(of: message)) }
    }

    private static func text(of message: webimage_svg_message) -> String {
        let text = withUnsafeBytes(of: message.text) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

extension SVGCoder {
    /// Lets go of the fonts of this thread's drawings, which newer versions of Pango keep a thread for.
    package static func releaseFonts() { webimage_svg_release_fonts() }
}
