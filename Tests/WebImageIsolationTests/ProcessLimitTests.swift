import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageDecoder
import WebImageIsolation
import WebImageTestSupport

/// A refusal of the kernel is one clear error, whichever library asks for it.
@Suite("Limits of decoder processes", .needsDecoderProcesses, .timeLimit(.minutes(5)))
struct ProcessLimitTests {
    /// A picture of 3 MB.
    struct Large: Sendable, CustomStringConvertible {
        let kind: DecoderKind
        let data: Data
        var options = ImageDecodeOptions()

        var description: String { "\(kind)" }
    }

    private static let size = PixelSize(width: 1000, height: 750)
    private static let coders = ImageCodersManager(coders: DecoderCoders.all)

    private static let pictures = files(of: size, formats + slowFormats) + documents
    /// Nothing that is decoded before anybody looks at a clock.
    private static let longPictures =
        files(of: PixelSize(width: 2500, height: 1600), formats) + files(of: size, slowFormats) + documents

    private static let formats: [(DecoderKind, ImageFormat)] = [
        (.jpeg, .jpeg), (.png, .png), (.webP, .webP), (.gif, .gif), (.bmp, .bmp), (.tiff, .tiff),
    ]
    private static let slowFormats: [(DecoderKind, ImageFormat)] = [(.avif, .avif), (.jxl, .jpegXL), (.heif, .heic)]

    /// Those that can be written here.
    private static func files(of size: PixelSize, _ formats: [(DecoderKind, ImageFormat)]) -> [Large] {
        let rows = (0..<9).map { y in Data((0..<size.width).flatMap { x in [UInt8(x / 10), UInt8(y * 9), 99, 255] }) }
        let pixels = (0..<size.height).reduce(into: Data()) { $0.append(rows[$1 % 9]) }
        guard let bitmap = try? Bitmap(size: size, pixels: Array(pixels)) else { return [] }
        return formats.compactMap { kind, format in
            (try? coders.encode(Image(bitmap: bitmap), to: format, options: ImageEncodeOptions())).map {
                Large(kind: kind, data: $0)
            }
        }
    }

    private static var documents: [Large] {
        let text = "<text y='99'>a</text><filter id='f'><feGaussianBlur stdDeviation='9'/></filter>"
        let shapes = "<rect width='1000' height='350' filter='url(#f)'/>"
        let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='1000' height='750'>\(text)\(shapes)</svg>"
        var page = ImageDecodeOptions()
        page.thumbnailPixelSize = size
        let pages = (try? FuzzSeeds.data("page.pdf")).map { [Large(kind: .pdf, data: $0, options: page)] } ?? []
        return [Large(kind: .svg, data: Data(drawing.utf8))] + pages.filter { $0.kind.coder != nil }
    }

    private static func decode(_ picture: Large, _ change: (inout ImageLimits) -> Void) -> Result<Image, WebImageError>
    {
        var options = picture.options
        change(&options.limits)
        return Result { () throws(WebImageError) in
            try DecoderProcesses.coder(picture.kind).decode(picture.data, options: options)
        }
    }

    @Test("with any less memory than a picture needs, the error names the limit of memory", arguments: pictures)
    func memory(picture: Large) throws {
        let whole = try Self.decode(picture) { _ in }.get().bitmap.bytes
        var refusedCount = 0
        for kilobytes in [0, 1, 2, 4, 6, 8, 10, 12, 14, 17, 20, 25, 35, 50, 100, 200, 400].map({ $0 << 8 }) {
            let found = Self.decode(picture) {
                $0.maximumDecodeMemory = kilobytes << 10
                $0.maximumDecodeDuration = .seconds(20)
            }
            switch found {
            case .success(let image): #expect(image.bitmap.bytes == whole, "\(kilobytes) kB")
            case .failure(let error):
                refusedCount += 1
                let isOfMemory = error.reason.contains("maximumDecodeMemory")
                let isLimit = error.code == .limitExceeded && error.kind == .policy
                #expect(isLimit && isOfMemory, "\(kilobytes) kB: \(error)")
            }
        }
        #expect((3..<17).contains(refusedCount))
    }

    @Test(
        "a picture that takes longer than the limit is an error that names the limit of time", arguments: longPictures)
    func time(picture: Large) {
        let found = Self.decode(picture) { $0.maximumDecodeDuration = .microseconds(100) }
        guard case .failure(let error) = found else {
            Issue.record("it was decoded")
            return
        }
        let isOfTime = error.reason.contains("maximumDecodeDuration")
        #expect(error.code == .limitExceeded && error.kind == .policy && isOfTime, "\(error)")
    }

    @Test("a file that is larger than the memory is an error that names it")
    func file() {
        let data = Data("GIF89a".utf8) + Data(count: 60 << 20)
        let found = Self.decode(Large(kind: .gif, data: data)) { $0.maximumDecodeMemory = 32 << 20 }
        #expect(throws: WebImageError.self) { try found.get() }
        if case .failure(let error) = found {
            #expect(error.code == .limitExceeded && error.reason.contains("maximumDecodeMemory"), "\(error)")
        }
    }
}
