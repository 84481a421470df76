import FoundationEssentials
import Testing
import WebImageCore
import WebImageSVG
import WebImageTestSupport

@Suite("SVG")
struct SVGCoderTests {
    @Test(
        "without a box the size is the document's own",
        arguments: [
            ("width='20' height='10'", 20, 10), ("width='1in' height='2.54cm'", 96, 96),
            ("width='72pt' height='25.4mm'", 96, 96), ("viewBox='0 0 30 40'", 30, 40),
            ("width='60' viewBox='0 0 30 40'", 60, 80), ("height='80' viewBox='0 0 30 40'", 60, 80),
            ("width='100%' height='100%' viewBox='0 0 7 9'", 7, 9), ("", 300, 150), ("width='2em' height='1.2'", 32, 2),
            ("width='2em' height='4ex' font-size='20'", 40, 40), ("width='2em' height='1em' font-size='12'", 24, 12),
            ("width='30' height='3em' style='font:10px serif'", 30, 30),
            ("width='50%' height='2em' font-size='9'", 300, 32),
            ("width='48.01' height='47.99'", 48, 48), ("width='429.25' height='300.14'", 430, 301),
            ("width='.01' height='1e-9'", 1, 1),
        ])
    func naturalSize(attributes: String, width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        #expect(try SVGCoder().properties(of: SVGText.file(attributes), isComplete: true)?.pixelSize == size)
        #expect(try SVGText.decode(SVGText.file(attributes)).pixelSize == size)
    }

    @Test("B35 THB-7 a box may enlarge a picture of shapes, and has no margins")
    func boxes() throws {
        let file = SVGText.file("width='36' height='18'")
        let image = try SVGText.decode(file, box: PixelSize(width: 50, height: 50))
        #expect(image.pixelSize == PixelSize(width: 50, height: 25))
        #expect(image.bitmap.pixel(0, 0) == SVGText.red && image.bitmap.pixel(49, 24) == SVGText.red)
        #expect(image.metadata.isVector && image.metadata.originalPixelSize == PixelSize(width: 36, height: 18))
        #expect(
            try SVGText.decode(file, box: PixelSize(width: 9, height: 90)).pixelSize == PixelSize(width: 9, height: 5))
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 50, height: 50)
        options.preservesAspectRatio = false
        #expect(try SVGCoder().decode(file, options: options).pixelSize == PixelSize(width: 50, height: 50))
        options.scaleDownLimitBytes = 4 * 18 * 9
        #expect(try SVGCoder().decode(file, options: options).pixelSize == PixelSize(width: 18, height: 9))
    }

    @Test("16 bits a channel are the drawn 8 times 257", arguments: [true, false])
    func deep(isPremultiplied: Bool) throws {
        let file = SVGText.file(
            "width='3' height='2'", "<rect width='2' height='2' fill='#ff8000' fill-opacity='0.5'/>")
        var options = ImageDecodeOptions()
        options.pixelFormat = isPremultiplied ? .rgba16Premultiplied : .rgba16Straight
        let deep = try SVGCoder().decode(file, options: options).bitmap
        options.pixelFormat = isPremultiplied ? .rgba8Premultiplied : .rgba8Straight
        let flat = try SVGCoder().decode(file, options: options).bitmap
        #expect(deep.format.bitsPerChannel == 16)
        for x in 0..<3 {
            let channels = deep.withUnsafeBytes { $0.bindMemory(to: UInt16.self)[x * 4..<x * 4 + 4].map(Int.init) }
            for (channel, expected) in zip(channels, flat.pixel(x, 0)) {
                #expect(abs(channel - Int(expected) * 257) <= 257)
            }
        }
    }

    @Test("translucent colours are premultiplied or straight, as requested")
    func alpha() throws {
        let file = SVGText.file(
            "width='2' height='2'", "<rect width='2' height='2' fill='#ff8000' fill-opacity='0.5'/>")
        let pixel = try SVGText.decode(file).bitmap.pixel(1, 1)
        #expect(pixel[3] == 128 && pixel[0] == 128 && abs(Int(pixel[1]) - 64) <= 1)
        let straight = try SVGCoder().decode(file, options: .storedPixels).bitmap.pixel(1, 1)
        #expect(straight[0] == 255 && abs(Int(straight[1]) - 128) <= 1 && straight[3] == 128)
    }

    @Test(
        "SVG is recognised by its first element, after any prologue",
        arguments: [
            "\u{FEFF}<svg ", "  \n<?xml version='1.0'?><svg>", "<!DOCTYPE svg [<!ENTITY a '<b>'>]><svg ",
            "<!--\(String(repeating: "licence ", count: 1000))--><svg\n", "<svg:svg xmlns:svg='x'>", "<svg/>",
        ])
    func sniffing(text: String) {
        #expect(SVGCoder().canDecode(Data(text.utf8)))
    }

    @Test(
        "other documents are not taken for SVG",
        arguments: ["", "<", "<svgx>", "<html><svg>", "text <svg>", "<!-- <svg>"])
    func otherText(text: String) {
        #expect(!SVGCoder().canDecode(Data(text.utf8)))
    }

    @Test("UTF-16 is read as well")
    func wideText() throws {
        let text =
            "<?xml version='1.0' encoding='UTF-16'?><svg xmlns='http://www.w3.org/2000/svg' width='3' height='4'/>"
        let data = Data([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        #expect(try SVGText.decode(data).pixelSize == PixelSize(width: 3, height: 4))
    }

    @Test("a document that was cut at any point is an error")
    func truncation() throws {
        let data = SVGText.file("width='9' height='9'", "<g><rect width='5' height='5'/></g>")
        _ = try SVGText.decode(data)
        for count in 0..<data.count {
            let error = #expect(throws: WebImageError.self) { try SVGText.decode(data.prefix(count)) }
            #expect(error?.code == .truncatedImageData)
        }
        let damaged = SVGText.file("width='9' height='9'", "<g></h>")
        #expect(throws: WebImageError.self) { try SVGText.decode(damaged) }
    }
}
