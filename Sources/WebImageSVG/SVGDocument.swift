import CRSVG
import FoundationEssentials
import WebImage

/// A parsed SVG, drawn by librsvg on a surface of cairo's.
///
/// librsvg gets the bytes without an address that they came from, and so loads nothing that they refer to, except what
/// stands in `data:` URLs; and without its flag for unlimited files libxml2 keeps its own limits on depth and entities.
struct SVGDocument: ~Copyable {
    private let handle: OpaquePointer

    /// - Parameter bytes: XML, not compressed.
    init(_ bytes: UnsafeRawBufferPointer) throws(WebImageError) {
        var message = webimage_svg_message()
        guard let handle = webimage_svg_open(bytes.baseAddress, bytes.count, &message) else {
            throw .damaged(.svg, Self.text(of: message))
        }
        self.handle = handle
    }

    deinit { webimage_svg_close(handle) }

    /// What the document says of its size.
    var intrinsicSize: SVGIntrinsicSize {
        let size = webimage_svg_intrinsic_size(handle)
        return SVGIntrinsicSize(
            width: size.width.isNaN ? nil : size.width, height: size.height.isNaN ? nil : size.height,
            viewBox: size.view_box_width.isNaN ? nil : (size.view_box_width, size.view_box_height))
    }

    /// Draws the document so that it fills `size`, on what is there: cairo's words of premultiplied alpha, red, green, blue.
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
