import CLibRSVG
import FoundationEssentials
import WebImageCore
import WebImageSVG

/// SVG files for tests, and their decoded pixels.
enum SVGText {
    static let red: [UInt8] = [255, 0, 0, 255]
    static let clear: [UInt8] = [0, 0, 0, 0]

    static func file(
        _ attributes: String = "width='9' height='9'",
        _ content: String = "<rect width='100%' height='100%' fill='red'/>"
    ) -> Data {
        Data("<svg xmlns='http://www.w3.org/2000/svg' \(attributes)>\(content)</svg>".utf8)
    }

    static func decode(_ data: Data, box: PixelSize? = nil) throws -> Image {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = box
        return try SVGCoder().decode(data, options: options)
    }
}

extension SVGText {
    /// Whether librsvg is of version 2.60, which Debian 13 has, or newer; Debian 12 has 2.54.
    static let isNewer = LIBRSVG_MAJOR_VERSION > 2 || LIBRSVG_MINOR_VERSION >= 60

    /// Whether SVG within SVG is drawn: by newer versions themselves, else by gdk-pixbuf where it has a loader, which is a
    /// package of its own in Debian (librsvg2-common).
    static let drawsDocuments: Bool = {
        if isNewer { return true }
        let folders = ["x86_64-linux-gnu", "aarch64-linux-gnu", "riscv64-linux-gnu"].map { "/usr/lib/\($0)" }
        return (folders + ["/usr/lib64", "/usr/lib"]).contains { folder in
            let loaders = "\(folder)/gdk-pixbuf-2.0/2.10.0/loaders"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: loaders)) ?? []
            return names.contains { $0.contains("svg") }
        }
    }()
}
