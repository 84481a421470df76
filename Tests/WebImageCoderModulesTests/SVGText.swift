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
    /// Whether gdk-pixbuf has a loader for SVG within SVG, which is a package of its own in Debian (librsvg2-common).
    static let drawsDocuments: Bool = {
        let folders = ["x86_64-linux-gnu", "aarch64-linux-gnu", "riscv64-linux-gnu"].map { "/usr/lib/\($0)" }
        return (folders + ["/usr/lib64", "/usr/lib"]).contains { folder in
            let loaders = "\(folder)/gdk-pixbuf-2.0/2.10.0/loaders"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: loaders)) ?? []
            return names.contains { $0.contains("svg") }
        }
    }()
}
