import CGtk4
import FoundationEssentials
import Glibc
import WebImage
import XCTest

@testable import webimage_gallery

final class ScreenshotTests: GTKTestCase, @unchecked Sendable {
    private let file = FileManager.default.temporaryDirectory.appending(path: "webimage-\(UUID().uuidString).png")

    override func tearDown() { try? FileManager.default.removeItem(at: file) }

    /// A picture arrives just before the screenshot.
    func testAWindowThatHasChangedIsWrittenAfterItIsDrawn() throws {
        try onMainThread {
            try requireDisplay()
            let label: Widget = gtk_label_new("before")
            let window = shown(label)
            defer { gtk_window_destroy(window.of(GtkWindow.self)) }
            XCTAssertEqual(Screenshot.write(window, to: file.path), .notDrawn)
            iterate(until: { Screenshot.write(window, to: file.path) == .written }, "the first frame")
            gtk_label_set_text(OpaquePointer(label), "after")
            XCTAssertEqual(Screenshot.write(window, to: file.path), .notDrawn)
            iterate(until: { Screenshot.write(window, to: file.path) == .written }, "the next frame")
            let written = try ImageCodersManager.shared.decode(Data(contentsOf: file), options: ImageDecodeOptions())
            XCTAssertEqual(written.pixelSize.width, Int(gtk_widget_get_width(window)))
        }
    }

    func testAFileThatCannotBeWrittenIsAnotherMatter() throws {
        try onMainThread {
            try requireDisplay()
            let window = shown(gtk_label_new("text"))
            defer { gtk_window_destroy(window.of(GtkWindow.self)) }
            iterate(until: { Screenshot.write(window, to: file.path) == .written }, "the first frame")
            XCTAssertEqual(
                Screenshot.write(window, to: "/nonexistent/a.png"), .failed(reason: "its directory is not there"))
        }
    }

    func testOnlyAPNGFileIsReplacedAndAPipeIsWrittenTo() throws {
        try onMainThread {
            try requireDisplay()
            let window = shown(gtk_label_new("text"))
            defer { gtk_window_destroy(window.of(GtkWindow.self)) }
            iterate(until: { Screenshot.write(window, to: file.path) == .written }, "the first frame")
            let picture = try Data(contentsOf: file)
            XCTAssertEqual(Screenshot.write(window, to: file.path), .written)
            try Data("dear diary".utf8).write(to: file)
            guard case .failed(let reason) = Screenshot.write(window, to: file.path) else { return XCTFail("replaced") }
            XCTAssertTrue(reason.contains("something else"), reason)
            XCTAssertEqual(try Data(contentsOf: file), Data("dear diary".utf8))
            try FileManager.default.removeItem(at: file)
            XCTAssertEqual(mkfifo(file.path, 0o600), 0)
            // Both ways, so that the writer does not wait; the pipe has room for the picture.
            let pipe = open(file.path, O_RDWR | O_NONBLOCK)
            defer { close(pipe) }
            XCTAssertEqual(Screenshot.write(window, to: file.path), .written)
            var bytes = [UInt8](repeating: 0, count: picture.count)
            XCTAssertGreaterThan(read(pipe, &bytes, bytes.count), 8)
            XCTAssertEqual(ImageFormat(sniffing: Data(bytes)), .png)
        }
    }

    @MainActor
    private func shown(_ child: Widget) -> Widget {
        let window = TestWindow.make()
        gtk_window_set_child(window.of(GtkWindow.self), child)
        gtk_window_present(window.of(GtkWindow.self))
        return window
    }
}
