import FoundationEssentials
import Testing
import WebImage

@testable import webimage_gallery

@Suite @MainActor struct GalleryStatisticsTests {
    private func result(_ source: ImageCacheType, byteCount: Int = 0) throws -> Result<LoadResult, WebImageError> {
        let url = try #require(URL(string: "http://host/a.jpg"))
        let image = Image(bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 255]))
        return .success(LoadResult(image: image, cacheType: source, url: url, byteCount: byteCount))
    }

    @Test("each ending counts once in its place; a cell that was reused meanwhile does not count")
    func counts() throws {
        var statistics = GalleryStatistics()
        for source in [ImageCacheType.none, .none, .disk, .memory] {
            statistics.count(try result(source, byteCount: 600_000))
        }
        statistics.count(.failure(.cancelled()))
        statistics.count(.failure(WebImageError(.timedOut, stage: .load, kind: .transient, reason: "scripted")))
        #expect(
            statistics.summary
                == "4 pictures loaded: 2 from the network (1.2 MB), 1 from disk, 1 from memory; 1 failed")
    }
}
