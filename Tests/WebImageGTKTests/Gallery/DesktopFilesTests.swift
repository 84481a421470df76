import Foundation
import Testing
import WebImage

@testable import webimage_gallery

/// The files by which desktops know the program.
@Suite(.timeLimit(.minutes(5))) struct DesktopFilesTests {
    private let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../data")
        .standardizedFileURL

    private func check(_ program: String, _ arguments: String...) throws {
        let finished = try FinishedProgram(URL(filePath: "/usr/bin/\(program)"), arguments)
        #expect(finished.status == 0, "\(finished.output)")
    }

    private static func has(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    @Test(
        "the desktop file is valid", .enabled(if: has("desktop-file-validate"), "desktop-file-utils is not installed"))
    func desktopFile() throws { try check("desktop-file-validate", data.path + "/org.webimage.Gallery.desktop") }

    @Test("the AppStream data is valid", .enabled(if: has("appstreamcli"), "appstream is not installed"))
    func metainfo() throws {
        let validation = try FinishedProgram(
            URL(filePath: "/usr/bin/appstreamcli"),
            ["validate", "--no-net", data.path + "/org.webimage.Gallery.metainfo.xml"])
        let complaints = validation.output.split(separator: "\n").filter { $0.hasPrefix("E:") || $0.hasPrefix("W:") }
        // Newer versions warn of this. The project has no home page.
        #expect(complaints.filter { !$0.contains("url-homepage-missing") } == [], "\(validation.output)")
        #expect(!validation.output.isEmpty)
    }

    @Test(
        "the installed desktop file names the installed program, with its whole path",
        arguments: ["plain", "with a % space"])
    func installed(name: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "install-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let programs = folder.appending(path: "programs")
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        for program in [
            "webimage", "webimage-decoder", "webimage-gallery", "update-desktop-database", "gtk4-update-icon-cache",
        ] {
            let script = Data("#!/bin/sh\necho $0 $* >> '\(folder.path)/calls'\n".utf8)
            let attributes = [FileAttributeKey.posixPermissions: 0o755]
            let path = programs.appending(path: program).path
            #expect(FileManager.default.createFile(atPath: path, contents: script, attributes: attributes))
        }
        let root = folder.appending(path: name).path
        let install = data.appending(path: "../scripts/install").standardizedFileURL.path
        let run = "PATH='\(programs.path)':$PATH DESTDIR=\"$3\" '\(install)' \"$1\" \"$2\""
        try check("env", "bash", "-c", run, "bash", programs.path, root, "")
        let file = root + "/share/applications/org.webimage.Gallery.desktop"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let program = root.replacing("%", with: "%%") + "/bin/webimage-gallery"
        #expect(text.contains(name == "plain" ? "\nExec=\(program) %U\n" : "\nExec=\"\(program)\" %U\n"))
        if Self.has("desktop-file-validate") { try check("desktop-file-validate", file) }
        for (place, source) in [
            ("metainfo", "org.webimage.Gallery.metainfo.xml"),
            ("icons/hicolor/scalable/apps", "org.webimage.Gallery.svg"),
        ] {
            let installed = FileManager.default.contents(atPath: "\(root)/share/\(place)/\(source)")
            #expect(try installed == Data(contentsOf: data.appending(path: source)), "\(source)")
        }
        #expect(FileManager.default.isExecutableFile(atPath: "\(root)/libexec/webimage/webimage-decoder"))
        let calls = { try String(contentsOf: folder.appending(path: "calls"), encoding: .utf8) }
        #expect(try calls().contains("update-desktop-database -q \(root)/share/applications"))
        #expect(try calls().contains("gtk4-update-icon-cache"))
        // A package is made for another root, and its tool updates the lists.
        try FileManager.default.removeItem(at: folder.appending(path: "calls"))
        try check("env", "bash", "-c", run, "bash", programs.path, root + "/usr", root)
        let packaged = root + "/usr/share/applications/org.webimage.Gallery.desktop"
        #expect(try String(contentsOfFile: packaged, encoding: .utf8).contains("\nExec=/usr/bin/webimage-gallery %U\n"))
        #expect(try !calls().contains("update"))
    }

    @Test("the program decodes every type that the desktop file names, and opens folders")
    func types() throws {
        let text = try String(contentsOf: data.appending(path: "org.webimage.Gallery.desktop"), encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("MimeType=") })
        let types = line.dropFirst(9).split(separator: ";").map(String.init)
        #expect(types.count > 10)
        #expect(types.contains("inode/directory"))
        let coders = ImageCodersManager.shared.coders + GalleryCoders.all
        for type in types where !["inode/directory", "image/svg+xml-compressed"].contains(type) {
            let format = try #require(ImageFormat(mimeType: type), "\(type)")
            #expect(coders.contains { $0.canDecode(format) }, "\(type)")
        }
    }

    @Test("the icon has the size that it says")
    func icon() throws {
        let text = try String(contentsOf: data.appending(path: "org.webimage.Gallery.svg"), encoding: .utf8)
        #expect(ImageFormat(sniffing: Data(text.utf8)) == .svg)
        #expect(text.contains("width=\"128\" height=\"128\""))
    }
}
