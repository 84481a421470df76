import Foundation
import Testing
import WebImageCore

@testable import WebImageCache
@testable import WebImageLoading
@testable import WebImageTestDoubles

@Suite("Pictures by name")
final class NamedImageTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "named-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A square file whose side tells it from others.
    private func write(_ name: String, side: Int, as format: ImageFormat = .png) throws {
        let pixels = [UInt8](repeating: 255, count: side * side * 4)
        let image = Image(bitmap: try Bitmap(size: PixelSize(width: side, height: side), pixels: pixels))
        try image.write(to: folder.appending(path: name), as: format)
    }

    private func side(_ name: String, _ scale: Double = 1) throws -> Int {
        try Image(named: name, in: folder, preferredScale: scale).pixelSize.width
    }

    @Test("ANI-4 S4-13 the file with the screen's scale comes first, and then the next one there is")
    func scales() throws {
        try write("a.png", side: 1)
        try write("a@2x.png", side: 2)
        try write("a@3x.png", side: 3)
        try write("only@3x.png", side: 3)
        for (scale, expected) in [(0.0, 1), (1, 1), (1.25, 1), (2, 2), (3, 3), (4, 3), (.infinity, 3), (.nan, 1)] {
            #expect(try side("a", scale) == expected, "\(scale)")
            #expect(try side("only", scale) == 3)
        }
        #expect(try Image(named: "a", in: folder, preferredScale: 2).scale == 2)
        #expect(NamedImage("a.png").fileNames(preferredScale: 1) == ["a.png", "a@2x.png", "a@3x.png"])
        #expect(NamedImage("a.png").fileNames(preferredScale: 2) == ["a@2x.png", "a@3x.png", "a.png"])
        #expect(NamedImage("a.png").fileNames(preferredScale: 3) == ["a@3x.png", "a@2x.png", "a.png"])
    }

    @Test("ANI-4 a name with a scale is one file's")
    func explicitScale() throws {
        try write("a.png", side: 1)
        try write("a@2x.png", side: 2)
        #expect(try side("a@2x") == 2 && side("a@2x.png", 3) == 2)
        #expect(throws: WebImageError.self) { try self.side("a@3x") }
        #expect(NamedImage("a@1.5x.png").fileNames(preferredScale: 1) == ["a@1.5x.png"])
    }

    @Test("ANI-4 without an extension png comes first, at any scale, and then other formats")
    func extensions() throws {
        try write("a.jpg", side: 1, as: .jpeg)
        try write("a@3x.png", side: 3)
        try write("b.webp", side: 4, as: .webP)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "icons"), withIntermediateDirectories: true)
        try write("icons/c.d.gif", side: 5, as: .gif)
        #expect(try side("a") == 3 && side("a.jpg") == 1 && side("b") == 4 && side("icons/c.d") == 5)
    }

    @Test("ANI-4 T4.1-04 a name without a picture is an error that says where it was looked for")
    func missing() throws {
        for name in ["none", "none.png", "", "icons/none", "../\(UUID().uuidString)"] {
            let error = #expect(throws: WebImageError.self) { try Image(named: name, in: self.folder) }
            #expect(error?.code == .fileNotFound, "\(name)")
            #expect(error?.reason.contains(folder.lastPathComponent) == true)
        }
        try Data("no picture".utf8).write(to: folder.appending(path: "bad.png"))
        let error = #expect(throws: WebImageError.self) { try Image(named: "bad", in: self.folder) }
        #expect(error?.code == .badImageData && error?.url?.lastPathComponent == "bad.png")
    }

    @Test("ANI-4 T4.1-04 an animation by its name has the bytes of its file")
    func animation() throws {
        let data = try Fixtures.data("animated.gif")
        try data.write(to: folder.appending(path: "moving@2x.gif"))
        let image = try Image(named: "moving.gif", in: folder)
        #expect(image.animation?.animatedImageData == data && image.scale == 2)
    }

    @Test("ANI-4 a picture is read once, until memory is short")
    func cache() throws {
        try write("a.png", side: 1)
        let first = try Image(named: "a", in: folder)
        try write("a.png", side: 2)
        #expect(try Image(named: "a", in: folder).bitmap === first.bitmap)
        NamedImages.shared.cache.relieve(.critical)
        #expect(try side("a") == 2)
    }
}
