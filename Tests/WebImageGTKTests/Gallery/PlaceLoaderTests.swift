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
