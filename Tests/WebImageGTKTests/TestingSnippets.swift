// The code of Docs/Testing.md for views, compiled and executed. A test compares the two, so neither changes alone.

import CGtk4
import Foundation
import Testing
import WebImage
import WebImageGTK
import WebImageTesting
import XCTest

private let gif = Data(base64Encoded: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7") ?? Data()

final class PortraitTests: XCTestCase {
    func testThePictureAppears() throws {
        try MainActor.assumeIsolated {
            guard gtk_init_check() != 0 else { throw XCTSkip("there is no display; use xvfb-run") }
            let loader = SuspendedLoader()
            let cache = ImageCache(directory: NSTemporaryDirectory() + UUID().uuidString)
            let portrait = WebImageView(size: PointSize(width: 48, height: 48))
            portrait.context.manager = WebImageManager(cache: cache, loader: loader)
            var hasEnded = false
            portrait.onLoad = { _ in hasEnded = true }

            portrait.url = URL(string: "https://example.org/ada.gif")
            iterate { !loader.loads.isEmpty }
            XCTAssertTrue(portrait.isLoading)
            loader.loads[0].finish(gif)
            iterate { hasEnded }
            XCTAssertEqual(portrait.image?.pixelSize, PixelSize(width: 1, height: 1))
        }
    }
}

@MainActor private func iterate(until condition: () -> Bool) {
    // Wakes the loop, so that it sees what other threads have done.
    let timer = g_timeout_add(10, { _ in 1 }, nil)
    defer { g_source_remove(timer) }
    while !condition() { g_main_context_iteration(nil, 1) }
}

@Suite(.serialized, .timeLimit(.minutes(1))) @MainActor struct PortraitSuite {
    @Test func thePictureAppears() async throws {
        guard gtk_init_check() != 0 else { return }
        let loader = SuspendedLoader()
        let cache = ImageCache(directory: NSTemporaryDirectory() + UUID().uuidString)
        let portrait = WebImageView(size: PointSize(width: 48, height: 48))
        portrait.context.manager = WebImageManager(cache: cache, loader: loader)
        let url = try #require(URL(string: "https://example.org/ada.gif"))

        let load = Task { try await portrait.loadImage(with: url, context: portrait.context) }
        try await loader.waitForLoad(of: url).finish(gif)
        let result = try await load.value
        #expect(portrait.image === result.image)
    }
}
