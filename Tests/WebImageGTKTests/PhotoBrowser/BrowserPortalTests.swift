import CGtk4
import Foundation
import WebImage
import XCTest

@testable import WebImageGTK

/// The requests of a browser to the desktop, on a bus of the tests' own.
final class BrowserPortalTests: GTKTestCase, @unchecked Sendable {
    private static let child = ChildTest(name: "WebImageGTKTests.BrowserPortalTests")

    /// Starts a bus, and this class's other tests in a process on it, because GLib finds its bus once per process.
    func testOnABus() throws {
        guard !Self.child.isHere else { return }
        try onMainThread { try requireDisplay() }
        let bus = try TestServer(
            "/usr/bin/dbus-daemon", ["--session", "--nofork", "--print-address=1"], package: "dbus-daemon")
        defer { bus.stop() }
        try Self.child.run(expecting: 4, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.greeting])
    }

    /// Runs `body` in the child with a browser of one photo, which is there, and the desktop.
    private func onDesktop(
        _ photo: Photo.Content, _ body: @MainActor (BrowserStage, DesktopPortalStandIn) throws -> Void
    ) throws {
        guard Self.child.isHere else { return }
        try onBrowser(1) {
            $0.app.photos[0] = Photo(photo)
        } test: { stage in
            iterate(until: { stage.page?.hasPicture == true }, "the photo is there")
            try body(stage, try DesktopPortalStandIn())
        }
    }

    /// MW-40 Another app, which the person chooses, gets the file itself.
    func testOpen() throws {
        let file = URL.temporaryDirectory.appending(path: "opened-\(UUID().uuidString).jpg")
        let data = try Image(bitmap: SamplePicture.make(1, width: 64, height: 48)).data(as: .jpeg)
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try onDesktop(.url(file)) { stage, desktop in
            stage.browser.openCurrentPhoto()
            iterate(until: { !desktop.requests.isEmpty }, "the desktop is asked")
            let request = try XCTUnwrap(desktop.requests.first)
            XCTAssertEqual(request.method, "OpenFile")
            XCTAssertEqual(request.arguments, "('', 0, {'ask': <true>})")
            XCTAssertEqual(request.files, [data])
            for _ in 0..<20 { g_main_context_iteration(nil, 0) }
            XCTAssertNil(stage.notice)
        }
    }

    /// MW-40 A mail has the caption as its subject, and a file of the picture with it.
    func testShare() throws {
        let picture = Image(bitmap: try SamplePicture.make(2, width: 64, height: 48))
        try onDesktop(.image(picture)) { stage, desktop in
            stage.app.photos[0].caption = "At the sea"
            stage.browser.shareCurrentPhoto()
            iterate(until: { !desktop.requests.isEmpty }, "the desktop is asked")
            let request = try XCTUnwrap(desktop.requests.first)
            XCTAssertEqual(request.method, "ComposeEmail")
            XCTAssertEqual(request.arguments, "('', {'subject': <'At the sea'>, 'attachment_fds': <[handle 0]>})")
            XCTAssertEqual(request.files, [try picture.data(as: .png)])
        }
    }

    /// A desktop that does nothing says why.
    func testRefusal() throws {
        let picture = try Colour.red.image()
        try onDesktop(.image(picture)) { stage, desktop in
            desktop.refusal = "not today"
            stage.browser.openCurrentPhoto()
            iterate(until: { stage.notice != nil }, "the reason is said")
            XCTAssertTrue(stage.notice?.hasPrefix("No app could be asked to open the photo: ") == true)
            XCTAssertTrue(stage.notice?.contains("not today") == true, stage.notice ?? "")
        }
    }
}
