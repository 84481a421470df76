import FoundationEssentials
import Testing
import WebImageCore

@Suite("Formats by their bytes, names and media types")
struct FormatTableTests {
    /// A character is a byte.
    private static func file(_ text: String) -> Data { Data(text.unicodeScalars.map { UInt8($0.value) }) }

    private static let signatures: [(String, ImageFormat)] = [
        ("\u{FF}\u{D8}\u{FF}\u{E0}", .jpeg), ("\u{FF}\u{D8}\u{FF}\u{DB}", .jpeg),
        ("\u{89}PNG\r\n\u{1A}\n", .png), ("GIF87a", .gif), ("GIF89a", .gif), ("II*\0", .tiff), ("MM\0*", .tiff),
        ("II+\0", .tiff), ("MM\0+", .tiff), ("BM", .bmp), ("%PDF-1.4", .pdf), ("RIFF1234WEBPVP8 ", .webP),
        ("\u{FF}\n", .jpegXL), ("\0\0\0\u{C}JXL \r\n\u{87}\n", .jpegXL), ("\0\0\u{1}\0\u{1}\0", .ico),
        ("\u{1A}E\u{DF}\u{A3}\u{9F}B\u{86}\u{81}\u{1}B\u{82}\u{85}webm\0", .webM),
        ("\u{1A}E\u{DF}\u{A3}\u{9F}B\u{82}\u{88}matroska", .webM), ("\0\0\u{2}\0\u{1}\0", .ico),
        ("<svg xmlns='x'/>", .svg), ("<?xml version='1.0'?><!-- a --><svg/>", .svg),
    ]

    private static let brands: [([String], ImageFormat)] = [
        (["heic", "mif1"], .heic), (["heix"], .heic), (["hevc"], .heic), (["hevx"], .heic), (["mif1", "heic"], .heif),
        (["msf1"], .heif), (["avif"], .avif), (["avis"], .avif), (["mif1", "miaf", "avif"], .avif),
        (["mp42", "avif"], .mp4), (["isom", "iso2", "avc1", "mp41"], .mp4), (["msf1", "avis"], .avif),
        (["mif1", "aaaa", "bbbb", "cccc", "dddd", "eeee", "ffff", "avif"], .avif),
        (["heis"], .heic), (["heim"], .heic), (["hevm"], .heic), (["hevs"], .heic), (["mif2"], .heif),
        (["miaf"], .heif), (["MA1A"], .avif), (["MA1B"], .avif), (["miaf", "MA1B"], .avif), (["mif2", "avif"], .avif),
        (["MiHE", "mif1", "heic"], .heic), (["avci", "mif1"], .heif), (["aaaa", "mif1", "miaf", "avis"], .avif),
        (["mp4v"], .mp4), (["qt  "], .mp4), (["3gp4"], .mp4), (["3gp5", "isom"], .mp4), (["3g2a"], .mp4),
        (["3gr6"], .mp4), (["iso8"], .mp4), (["mmp4"], .mp4), (["aaaa", "bbbb", "isom"], .mp4),
        (["aaaa", "qt  "], .mp4), (["aaaa", "3gp6"], .mp4),
    ]

    @Test(
        "FMT-2 a QuickTime file that is older than brands is recognised by its first box",
        arguments: [
            "\0\0\u{2}\0moov", "\0\0\0\u{8}wide\0\0\u{1}\0mdat", "\u{3}\0\0\0mdat", "\0\0\0\u{1}mdat",
            "\0\0\0\u{8}free", "\0\0\0\u{14}pnot",
        ])
    func quickTime(text: String) { expect(Self.file(text), .mp4) }

    private func expect(_ file: Data, _ format: ImageFormat) {
        #expect(ImageFormat(sniffing: file) == format)
        #expect(ImageFormat(sniffing: file + Data(repeating: 7, count: 100)) == format)
        // Indices of a slice do not begin at 0.
        #expect(ImageFormat(sniffing: (Data([1, 2, 3]) + file).dropFirst(3)) == format)
    }

    @Test("FMT-2 B27 each format is recognised by its first bytes", arguments: signatures)
    func told(text: String, format: ImageFormat) { expect(Self.file(text), format) }

    @Test("FMT-2 HEIF and AVIF are distinguished by their brands, wherever these stand", arguments: brands)
    func branded(names: [String], format: ImageFormat) {
        let length = Unicode.Scalar(UInt8(12 + names.count * 4))
        let text = "\0\0\0\(length)ftyp\(names[0])\0\0\0\0\(names.dropFirst().joined())"
        expect(Self.file(text), format)
    }

    @Test(
        "FMT-2 bytes that only begin like a format are of none",
        arguments: [
            "RIFF1234WAVEfmt ", "\u{89}PNG", "GIF90a", "\0\0\0\u{10}ftypaaaa\0\0\0\0", "\0\0\u{3}\0",
            "\0\0\0\u{14}ftypM4A \0\0\0\0avif", "<html><svg/></html>", "\0\0\0\u{14}ftypM4A \0\0\0\0isom",
            "\0\0\0\u{14}ftypcrx \0\0\0\0isom", "I\u{20}ammoov", "be freemen", "\0\0\0\u{7}moov",
        ])
    func others(text: String) {
        #expect(ImageFormat(sniffing: Self.file(text)) == .undefined)
    }

    @Test("FMT-2 a brand behind the end of its box is ignored")
    func brandOutside() {
        #expect(ImageFormat(sniffing: Self.file("\0\0\0\u{14}ftypmif1\0\0\0\0miafavif")) == .heif)
    }

    private static let formats: [(ImageFormat, String, String)] = [
        (.jpeg, "image/jpeg", "jpg"), (.png, "image/png", "png"), (.gif, "image/gif", "gif"),
        (.tiff, "image/tiff", "tiff"), (.webP, "image/webp", "webp"), (.heic, "image/heic", "heic"),
        (.heif, "image/heif", "heif"), (.pdf, "application/pdf", "pdf"), (.svg, "image/svg+xml", "svg"),
        (.bmp, "image/bmp", "bmp"), (.avif, "image/avif", "avif"), (.jpegXL, "image/jxl", "jxl"),
        (.ico, "image/vnd.microsoft.icon", "ico"), (.raw, "image/x-dcraw", "raw"),
        (.pam, "image/x-portable-arbitrarymap", "pam"),
    ]

    @Test("FMT-3 media types and extensions lead to formats, and formats to them", arguments: formats)
    func bothWays(format: ImageFormat, mimeType: String, fileExtension: String) {
        #expect(format.mimeType == mimeType && format.fileExtension == fileExtension)
        #expect(ImageFormat(mimeType: mimeType) == format)
        #expect(ImageFormat(mimeType: mimeType.uppercased() + " ; q=0.8") == format)
        #expect(ImageFormat(fileExtension: fileExtension) == format)
        #expect(ImageFormat(fileExtension: fileExtension.uppercased()) == format)
    }

    @Test(
        "FMT-3 alternative names are known as well",
        arguments: [
            ("image/jpg", ImageFormat.jpeg), ("image/x-icon", .ico), ("image/apng", .png), ("image/x-ms-bmp", .bmp),
            ("image/heic-sequence", .heic), ("video/quicktime", .mp4), ("video/3gpp", .mp4),
        ])
    func otherTypes(mimeType: String, format: ImageFormat) {
        #expect(ImageFormat(mimeType: mimeType) == format)
    }

    @Test(
        "FMT-3 files of cameras and telephones are videos by their names",
        arguments: ["mov", "MOV", "3gp", "3g2", "m4v"])
    func videoNames(fileExtension: String) { #expect(ImageFormat(fileExtension: fileExtension) == .mp4) }

    @Test("FMT-3 an unknown format has neither", arguments: ["", ";", "image/", "text/html", "jpeg", "image/jpegx"])
    func unknown(mimeType: String) {
        #expect(ImageFormat(mimeType: mimeType) == nil)
        #expect(ImageFormat.undefined.mimeType == nil && ImageFormat.undefined.fileExtension == nil)
    }
}
