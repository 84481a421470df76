import CGtk4
import Foundation
import WebImage
import WebImageGTK
import XCTest

@testable import webimage_gallery

/// Places that GIO reads and that have no path; GTK's own resources are one.
final class PlaceLoaderTests: GTKTestCase, @unchecked Sendable {
    func testPicturesWithoutAPathAreListedAndLoadedByGIO() throws {
        try onMainThread {
            initializeGTK()
            MainLoopBridge.install()
            let source = try XCTUnwrap(PictureSource("resource:///org/gtk/libgtk/icons/16x16/actions/", in: "/"))
            let found = Recorder<FoundPictures>()
            Task { found.append(await SourceReader(loader: ImageLoadersManager.shared).read([source])) }
            iterate(until: { !found.values.isEmpty }, "the pictures of the place")
            let picture = try XCTUnwrap(found.values[0].pictures.first)
            XCTAssertEqual(picture.url.scheme, "resource")
            let loader = PlaceLoader.make()
            XCTAssertTrue(loader.canLoad(picture.url))
            XCTAssertEqual(try load(picture.url, by: loader).map { ImageFormat(sniffing: $0.data) }.get(), .png)
            let missing = try XCTUnwrap(URL(string: "resource:///nothing.png"))
            guard case .failure(let error) = try load(missing, by: loader) else {
                return XCTFail("there is nothing to be loaded")
            }
            XCTAssertEqual(error.code, .transferFailed)
        }
    }

    func testAPlaceThatCannotBeMountedSaysSo() throws {
        try onMainThread {
            try requireDisplay()
            let window: Widget = gtk_window_new()
            defer { gtk_window_destroy(window.of(GtkWindow.self)) }
            let mounter = VolumeMounter(window)
            let problems = Recorder<String>()
            for _ in 0..<2 {
                Task {
                    do throws(SourceProblem) { try await mounter.mount("resource:///org/gtk") } catch {
                        problems.append(error.message)
                    }
                }
            }
            iterate(until: { problems.values.count == 2 }, "the answers")
            XCTAssertTrue(
                problems.values.allSatisfy { $0.hasSuffix("phones and servers need GVfs") }, "\(problems.values)")
        }
    }

    @MainActor
    private func load(
        _ url: URL, by loader: any ImageLoader
    ) throws -> Result<ImageLoadResponse, WebImageError> {
        let results = Recorder<Result<ImageLoadResponse, WebImageError>>()
        _ = loader.load(ImageLoadRequest(url: url)) { event in
            if case .finished(let result) = event { results.append(result) }
        }
        iterate(until: { !results.values.isEmpty }, "the bytes")
        return results.values[0]
    }
}
