// What README.md shows, compiled. A test compares the two, so neither changes alone.

// snippet: library
import Foundation
import WebImage

func makePreview(of url: URL, at path: String) async throws {
    var context = WebImageContext()
    context.thumbnailPixelSize = PixelSize(width: 300, height: 300)

    for try await event in WebImageManager.shared.events(for: url, context: context) {
        switch event {
        case .progress(let progress):
            print(progress.receivedByteCount, "bytes")
        case .finished(let result):
            print(
                result.image.pixelSize, result.cacheType == .noCache ? "from the network" : "from \(result.cacheType)")
            try result.image.write(to: URL(filePath: path), as: .webP)
        case .cached, .partial:
            break  // only for loads that ask for them: .refreshCached, .progressiveLoad
        }
    }
}
// end
