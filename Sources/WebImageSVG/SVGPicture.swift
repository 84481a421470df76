import FoundationEssentials
import WebImage

/// The cost of a picture in a `data:` URL.
///
/// librsvg decodes such pictures by gdk-pixbuf, which accepts every format that it has a loader for, even SVG, at any
/// size. Only content that is certain to be decoded by the loader for its signature is accepted.
struct SVGPicture {
    /// The decoded pixels of all frames.
    let pixelCount: Double
    /// The pixels written during the decode: some JPEG files draw themselves a thousand times.
    let passedPixelCount: Double

    private static let coders: [ImageFormat: any ImageCoder] = [
        .jpeg: JPEGCoder(), .png: PNGCoder(), .gif: GIFCoder(), .webP: WebPCoder(),
    ]

    /// - Parameter url: The URL as in the document.
    /// - Returns: nil for anything but JPEG, PNG, GIF and WebP pictures.
    init?(_ url: some Collection<UInt8>) {
        guard let file = SVGDataURL(url)?.content else { return nil }
        let format = ImageFormat(sniffing: file)
        guard let coder = Self.coders[format], let frames = Self.pixelCount(of: file, by: coder) else { return nil }
        pixelCount = format == .gif ? max(GIFScreens(file).pixelCount, frames) : frames
        passedPixelCount = pixelCount * Double(format == .jpeg ? Self.scanCount(file) : 1)
    }

    /// - Returns: nil for what is no picture, and no end of pixels for one with more than a file may have.
    private static func pixelCount(of file: Data, by coder: any ImageCoder) -> Double? {
        do throws(WebImageError) {
            return try coder.properties(of: file, isComplete: true).map { properties in
                Double(properties.pixelSize.area) * Double(max(1, properties.frameCount))
            }
        } catch {
            return error.code == .limitExceeded ? .infinity : nil
        }
    }

    /// Counts markers, which occur nowhere else except in thumbnails.
    private static func scanCount(_ file: Data) -> Int {
        var count = 0
        var isMark = false
        for byte in file {
            if isMark, byte == 0xDA { count += 1 }
            isMark = byte == 0xFF
        }
        return max(1, count)
    }
}

/// The pixels of all frames of a GIF file; gdk-pixbuf keeps each of them, even one larger than the screen.
private struct GIFScreens {
    private(set) var pixelCount = 0.0

    private static let headLength = 13
    private static let frameHeadLength = 10

    init(_ file: Data) {
        var rest = file.dropFirst(Self.headLength)
        let screen = Self.area(file.dropFirst(6))
        Self.dropColors(file.dropFirst(10).first, &rest)
        pixelCount = screen
        while let kind = rest.first {
            switch kind {
            case 0x21: rest = rest.dropFirst(2)
            case 0x2C:
                pixelCount += max(screen, Self.area(rest.dropFirst(5)))
                let flags = rest.dropFirst(9).first
                rest = rest.dropFirst(Self.frameHeadLength)
                Self.dropColors(flags, &rest)
                rest = rest.dropFirst()
            default:
                // A reader may look for the next block at any of the following bytes.
                rest = rest.dropFirst()
                continue
            }
            while let count = rest.first {
                rest = rest.dropFirst(1 + Int(count))
                if count == 0 { break }
            }
        }
    }

    private static func dropColors(_ flags: UInt8?, _ rest: inout Data) {
        guard let flags, flags & 0x80 != 0 else { return }
        rest = rest.dropFirst(3 << (Int(flags & 7) + 1))
    }

    private static func area(_ bytes: Data) -> Double {
        let numbers = bytes.prefix(4).map(Double.init)
        guard numbers.count == 4 else { return 0 }
        return (numbers[0] + numbers[1] * 256) * (numbers[2] + numbers[3] * 256)
    }
}
