import CGtk4
import Foundation
import Testing
import WebImage
import WebImageGTK

/// Compiles a resource file and registers it for the time of a test.
@Suite("Pictures among an app's resources", .serialized) @MainActor
struct ResourceImageTests {
    private static func withResources(_ body: () throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "resources-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var list = ""
        for (name, side) in [("a.png", 1), ("a@2x.png", 2), ("b.gif", 3)] {
            let pixels = [UInt8](repeating: 255, count: side * side * 4)
            let image = Image(bitmap: try Bitmap(size: PixelSize(width: side, height: side), pixels: pixels))
            try image.write(to: folder.appending(path: name), as: name.hasSuffix("gif") ? .gif : .png)
            list += "<file>\(name)</file>"
        }
        let prefix = "/org/webimage/test"
        let text = "<gresources><gresource prefix='\(prefix)'>\(list)</gresource></gresources>"
        try Data(text.utf8).write(to: folder.appending(path: "a.xml"))
        let compiler = try FinishedProgram(
            URL(filePath: "/usr/bin/glib-compile-resources"),
            ["--sourcedir=\(folder.path)", "--target=\(folder.path)/a.gresource", "\(folder.path)/a.xml"])
        try #require(compiler.status == 0, "\(compiler.output)")
        let resource = try #require(g_resource_load("\(folder.path)/a.gresource", nil))
        g_resources_register(resource)
        defer {
            g_resources_unregister(resource)
            g_resource_unref(resource)
        }
        try body()
    }

    @Test("ANI-4 S4-13 a picture is found in a resource by its name and the display's scale, and kept")
    func named() throws {
        try Self.withResources {
            let path = "/org/webimage/test"
            #expect(try Image(resource: "\(path)/a", preferredScale: 1).pixelSize.width == 1)
            let double = try Image(resource: "\(path)/a.png", preferredScale: 2)
            #expect(double.pixelSize.width == 2 && double.scale == 2)
            #expect(try Image(resource: "\(path)/b").pixelSize.width == 3)
            #expect(try Image(resource: "\(path)/b").bitmap === Image(resource: "\(path)/b").bitmap)
            for name in ["\(path)/none", "", "none", "/a\u{301}"] {
                let error = #expect(throws: WebImageError.self) { try Image(resource: name) }
                #expect(error?.code == .fileNotFound)
            }
        }
    }
}
