// The code of README.md, compiled. A test compares the two, so neither changes alone.

// snippet: library
import Foundation
import WebImage

func makeThumbnail(of url: URL, at path: String) async throws {
    var context = WebImageContext()
    context.thumbnailPixelSize = PixelSize(width: 300, height: 300)
    let image = try await WebImageManager.shared.image(for: url, context: context)
    try image.write(to: URL(filePath: path), as: .webP)
}
// end
