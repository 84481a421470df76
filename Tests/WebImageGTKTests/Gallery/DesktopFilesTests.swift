import Foundation
import Testing
import WebImage

/// The files by which desktops know the program.
@Suite(.timeLimit(.minutes(5))) struct DesktopFilesTests {
    private let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../data")
        .standardizedFileURL

    private func check(_ program: String, _ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/\(program)")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
    }

    private static func has(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    @Test(
        "the desktop file is valid", .enabled(if: has("desktop-file-validate"), "desktop-file-utils is not installed"))
    func desktopFile() throws { try check("desktop-file-validate", data.path + "/org.webimage.Gallery.desktop") }

    @Test("the AppStream data is valid", .enabled(if: has("appstreamcli"), "appstream is not installed"))
    func metainfo() throws {
        try check("appstreamcli", "validate", "--no-net", data.path + "/org.webimage.Gallery.metainfo.xml")
    }

    @Test("every type that the desktop file names is a picture or a folder")
    func types() throws {
        let text = try String(contentsOf: data.appending(path: "org.webimage.Gallery.desktop"), encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("MimeType=") })
        let types = line.dropFirst(9).split(separator: ";").map(String.init)
        #expect(types.count > 10)
        for type in types where !["inode/directory", "image/svg+xml-compressed"].contains(type) {
            #expect(ImageFormat(mimeType: type) != nil, "\(type)")
        }
    }

    @Test("the icon has the size that it says")
    func icon() throws {
        let text = try String(contentsOf: data.appending(path: "org.webimage.Gallery.svg"), encoding: .utf8)
        #expect(ImageFormat(sniffing: Data(text.utf8)) == .svg)
        #expect(text.contains("width=\"128\" height=\"128\""))
    }
}
