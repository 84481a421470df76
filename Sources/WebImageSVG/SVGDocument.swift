import CRSVG
import FoundationEssentials
import WebImage

/// A parsed SVG, drawn by librsvg on a cairo surface.
///
/// librsvg gets the bytes without a base URL, and so loads no reference except `data:` URLs. Without the flag for
/// unlimited files libxml2 keeps its own limits on depth and entities.
struct SVGDocument: ~Copyable {
    private let handle: OpaquePointer

    /// - Parameter bytes: XML, uncompressed.
    init(_ bytes: UnsafeRawBufferPointer) throws(WebImageError) {
        var message = webimage_svg_message()
        guard let handle = webimage_svg_open(bytes.baseAddress, bytes.count, &message) else {
            throw .damaged(.svg, Self.text(of: message))
        }
        self.handle = handle
    }

    deinit { webimage_svg_close(handle) }

    /// The size attributes of the document.
    var intrinsicSize: SVGIntrinsicSize {
        let size = webimage_svg_intrinsic_size(handle)
        return SVGIntrinsicSize(
            width: size.width.isNaN ? nil : size.width, height: size.height.isNaN ? nil : size.height,
            viewBox: size.view_box_width.isNaN ? nil : (size.view_box_width, size.view_box_height))
    }

    /// Draws the document scaled to `size` over the existing pixels: cairo's words of premultiplied alpha, red, green,
    /// blue.
    func draw(
        on rows: UnsafeMutablePointer<UInt8>, bytesPerRow: Int, size: PixelSize
    ) throws(WebImageError) {
        var message = webimage_svg_message()
        guard webimage_svg_draw(handle, rows, bytesPerRow, UInt32(size.width), UInt32(size.height), &message) else {
            throw .damaged(.svg, Self.text(of: message))
        }
    }

    private static func text(of message: webimage_svg_message) -> String {
        let text = withUnsafeBytes(of: message.text) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
