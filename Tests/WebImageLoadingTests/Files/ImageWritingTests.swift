import Foundation
import Glibc
import Testing
import WebImageCoders
import WebImageCore
import WebImageLoading
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Writing pictures to files")
struct ImageWritingTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "webimage-\(UUID().uuidString)")
    private let image: Image

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        image = Image(bitmap: try Self.bitmap(side: 64, darkest: 0))
    }

    /// The names of the files that are there.
    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
    }

    private func written(_ name: String, _ write: (URL) throws -> Void) throws -> Data {
        let file = directory.appending(path: name)
        try write(file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try names == [name])
        return try Data(contentsOf: file)
    }

    private func refusal(of name: String, as format: ImageFormat? = nil) -> WebImageError? {
        #expect(throws: WebImageError.self) { try image.write(to: directory.appending(path: name), as: format) }
    }

    @Test(
        "the extension says the format, in any case",
        arguments: [
            ("a.png", ImageFormat.png), ("a.JPG", .jpeg), ("a.b.jpeg", .jpeg), ("a.gif", .gif), ("a.webp", .webP),
            ("ä b%20.png", .png),
        ])
    func formats(name: String, format: ImageFormat) throws {
        #expect(ImageFormat(sniffing: try written(name) { file in try image.write(to: file) }) == format)
    }

    @Test("a format that is named goes before the extension")
    func named() throws {
        for name in ["a.png", "a", "a.xyz"] {
            let data = try written(name) { file in try image.write(to: file, as: .webP) }
            #expect(ImageFormat(sniffing: data) == .webP)
        }
    }

    @Test(
        "EOP-3 MET-9 the quality of a lossy format is 0.8 where none is chosen", arguments: [ImageFormat.jpeg, .webP])
    func quality(format: ImageFormat) throws {
        let usual = try image.data(as: format)
        #expect(try usual == image.data(as: format, quality: 0.8))
        #expect(try usual.count < image.data(as: format, quality: 1).count)
        #expect(try usual.count > image.data(as: format, quality: 0.3).count)
        #expect(try usual == written("a") { file in try image.write(to: file, as: format) })
        var options = ImageEncodeOptions()
        options.compressionQuality = 0.3
        #expect(try image.data(as: format, options: options) == image.data(as: format, quality: 0.3))
        #expect(try image.data(as: format, quality: 0.8, options: options) == usual)
    }

    @Test("EOP-3 a lossless format has no quality", arguments: [ImageFormat.png, .gif, .bmp])
    func lossless(format: ImageFormat) throws {
        #expect(try image.data(as: format) == image.data(as: format, quality: 0.1))
    }

    @Test("a lossless mode ignores the default quality")
    func losslessMode() throws {
        var options = ImageEncodeOptions()
        options.isLossless = true
        let decoded = try Image(data: image.data(as: .webP, options: options))
        #expect(decoded.bitmap.bytes == image.bitmap.bytes)
    }

    @Test("an animation keeps its file, unless a quality is chosen")
    func animation() throws {
        let frames = try [10, 200].map { value in
            ImageFrame(bitmap: try Self.bitmap(side: 8, darkest: value), duration: .milliseconds(100))
        }
        var options = ImageEncodeOptions()
        options.compressionQuality = 1
        let file = try ImageCodersManager.shared.encode(frames, loopCount: 0, to: .webP, options: options)
        let animation = try Image(data: file)
        #expect(try animation.data(as: .webP) == file)
        #expect(try animation.data(as: .webP, quality: 0.1) != file)
    }

    /// Two slopes that cross, in a square.
    private static func bitmap(side: Int, darkest: Int) throws -> Bitmap {
        var pixels: [UInt8] = []
        for y in 0..<side {
            for x in 0..<side {
                pixels += [UInt8(darkest + x), UInt8(darkest + y), UInt8(darkest + (x * y) % 55), 255]
            }
        }
        return try Bitmap(size: PixelSize(width: side, height: side), pixels: pixels)
    }

    @Test("what says no format, or one that is not written, is refused, and no file is there")
    func unknownFormats() throws {
        let errors = ["a", "a.xyz", "a.svg"].map { refusal(of: $0) }
        #expect(errors.map { $0?.code } == Array(repeating: .encodeFailed, count: 3))
        #expect(errors.map { $0?.url?.lastPathComponent } == ["a", "a.xyz", "a.svg"])
        #expect(
            errors[0]?.reason
                == "the name has no extension that says the format; use jpg, png, gif or webp, or name the format")
        #expect(errors[1]?.reason.hasPrefix("no format has the extension \"xyz\"") == true)
        #expect(refusal(of: "a.png", as: .pdf)?.code == .encodeFailed)
        #expect(try names.isEmpty)
    }

    @Test("only files of this machine are written")
    func otherURLs() throws {
        for address in ["https://example.org/a.png", "data:a.png", "file://server/a.png"] {
            let url = try parsed(address)
            let error = #expect(throws: WebImageError.self) { try image.write(to: url) }
            #expect(error?.code == .invalidURL && error?.url == url)
        }
    }

    @Test("a missing directory, a directory, a device and an unreadable name are refused")
    func places() throws {
        #expect(refusal(of: "missing/a.png")?.code == .fileNotFound)
        try FileManager.default.createDirectory(
            at: directory.appending(path: "taken.png"), withIntermediateDirectories: false)
        #expect(refusal(of: "taken.png")?.code == .fileFailed)
        #expect(refusal(of: "folder/", as: .png)?.code == .invalidURL)
        let device = #expect(throws: WebImageError.self) { try image.write(to: URL(filePath: "/dev/full"), as: .png) }
        #expect(device?.code == .fileFailed)
        let bytes = try parsed("file://\(directory.path)/%FF.png")
        #expect(#expect(throws: WebImageError.self) { try image.write(to: bytes) }?.code == .invalidURL)
        #expect(try names == ["taken.png"])
    }

    @Test("a file that is replaced is whole, keeps its mode, and stays when the picture cannot be encoded")
    func replaced() throws {
        let file = directory.appending(path: "a.png")
        try Data("old".utf8).write(to: file)
        chmod(file.path, 0o640)
        #expect(refusal(of: "a.png", as: .pdf) != nil)
        #expect(try Data(contentsOf: file) == Data("old".utf8))
        try image.write(to: file)
        #expect(try Data(contentsOf: file) == image.data(as: .png))
        #expect(mode(of: file) == 0o640)
        #expect(try names == ["a.png"])
    }

    @Test("a symbolic link stays, and its file is replaced")
    func links() throws {
        let (file, link) = (directory.appending(path: "real"), directory.appending(path: "link.png"))
        try Data("old".utf8).write(to: file)
        symlink("real", link.path)
        try image.write(to: link)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "real")
        #expect(ImageFormat(sniffing: try Data(contentsOf: file)) == .png)
    }

    @Test("a new file may be read by all that the process allows")
    func newMode() throws {
        let file = directory.appending(path: "a.png")
        try image.write(to: file)
        let plain = directory.appending(path: "plain")
        fclose(fopen(plain.path, "w"))
        #expect(mode(of: file) == mode(of: plain))
    }

    private func mode(of file: URL) -> mode_t {
        var status = stat()
        stat(file.path, &status)
        return status.st_mode & 0o777
    }
}
