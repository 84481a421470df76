import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImageHEIF
import WebImageIsolation
import WebImagePDF
import WebImageSVG

#if VIDEO
    import WebImageVideo
#endif

/// Loads the files that decoders read, before workers are forked. The pictures are the project's own: nothing of a
/// stranger is read here.
///
/// No filter of SVG is among them: its threads stay, and a fork would lose them and hang.
package enum Preload {
    /// Loads everything for a role. Pango may still have a thread for a moment then.
    package static func run(for role: HelperRole) {
        switch role {
        case .pictures: loadPictures()
        case .videos: loadVideos()
        }
    }

    private static func loadVideos() {
        #if VIDEO
            VideoCoder.preload()
        #endif
    }

    private static func loadPictures() {
        HEIFCoder.loadPlugins()
        for drawing in [text, shapes] { Rehearsal.run(.svg, with: Data(drawing.utf8)) }
        for kind in rehearsed.keys { rehearse(kind) }
        for (format, type) in pictureTypes {
            if let file = picture(in: format) { decode(SVGCoder(), document(with: file, type)) }
        }
        decode(SVGCoder(), document(with: Data(emptyDocument.utf8), "image/svg+xml"))
        #if PDF
            decode(PDFCoder(), page)
        #endif
    }

    /// Lets the process find out what a first answer takes. A worker that does so while it waits for its picture has the memory
    /// of its own that it writes, and what it reads of the programs' files. Not for drawings, which would take as long as an
    /// icon.
    package static func rehearse(_ kind: DecoderKind) {
        if let file = rehearsed[kind] { Rehearsal.run(kind, with: file) }
    }

    private static func decode(_ coder: any ImageCoder, _ file: String) {
        _ = try? coder.decode(Data(file.utf8), options: ImageDecodeOptions())
    }

    /// The settings of fontconfig, and Pango's of each generic family.
    private static let text = """
        <svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><text y="20" font-family="sans-serif">a<tspan \
        font-weight="bold">b</tspan><tspan font-style="italic">c</tspan></text><text y="40" font-family="serif">a</text>\
        <text y="60" font-family="monospace">a</text></svg>
        """

    private static let pictureTypes: [(ImageFormat, String)] = [
        (.png, "image/png"), (.jpeg, "image/jpeg"), (.gif, "image/gif"), (.webP, "image/webp"),
    ]

    /// The shapes that icons are made of.
    private static let shapes = """
        <?xml version="1.0" encoding="UTF-8"?>
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="16px" height="16px" \
        viewBox="0 0 16 16"><defs><linearGradient id="a" x1="0" x2="1"><stop offset="0" stop-color="#fff"/>\
        <stop offset="1" style="stop-color:#000;stop-opacity:.5"/></linearGradient><clipPath id="b"><rect width="9" \
        height="9"/></clipPath></defs><style>.c{fill:none}</style><g transform="translate(1.5,-2) scale(2)" opacity="0.5" \
        fill="url(#a)" clip-path="url(#b)"><path d="m 1 1 h 4 v 4 c 1,1 2.5,1 3,-1 s 1 1 2 2 q 1 1 2 0 t 1 1 a 2 2 0 0 1 3 \
        3 L 4 4 H 1 V 0 C 1 2 3 4 5 6 z" style="fill-rule:evenodd;stroke:#2e3436;stroke-width:2"/><circle cx="4" cy="4" \
        r="2" class="c"/><ellipse cx="4" cy="4" rx="2" ry="1"/><line x2="3" y2="3"/><polygon points="0,0 1,1 2,0"/>\
        <polyline points="0,0 1,1"/></g><use xlink:href="#a"/><use href="#b" x="3"/></svg>
        """

    /// Made once, before workers are forked.
    private static let rehearsed: [DecoderKind: Data] = {
        let formats: [(DecoderKind, ImageFormat)] = [(.png, .png), (.jpeg, .jpeg), (.gif, .gif), (.webP, .webP)]
        var files: [DecoderKind: Data] = [:]
        for (kind, format) in formats { files[kind] = picture(in: format) }
        return files
    }()

    /// The loaders of gdk-pixbuf.
    private static func document(with file: Data, _ type: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image width="9" height="9" \
        href="data:\(type);base64,\(file.base64EncodedString())"/></svg>
        """
    }

    private static func picture(in format: ImageFormat) -> Data? {
        let bitmap = try? Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 255])
        return bitmap.flatMap {
            try? ImageCodersManager.shared.encode(Image(bitmap: $0), to: format, options: ImageEncodeOptions())
        }
    }

    private static let emptyDocument = #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#

    /// The settings of poppler, and a font that the file does not bring.
    private static let page = """
        %PDF-1.4
        1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
        2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
        3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
        4 0 obj<</Length 38>>stream
        BT /F 12 Tf 9 9 Td (preloaded) Tj ET  
        endstream endobj
        5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
        trailer<</Root 1 0 R>>
        """
}
