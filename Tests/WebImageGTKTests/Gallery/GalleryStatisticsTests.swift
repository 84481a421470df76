import FoundationEssentials
import Testing
import WebImage

@testable import webimage_gallery

@Suite @MainActor struct GalleryStatisticsTests {
    private func result(
        _ source: ImageCacheType, byteCount: Int = 0, url: String = "http://host/a.jpg"
    ) throws -> Result<LoadResult, WebImageError> {
        let url = try #require(URL(string: url))
        let image = Image(bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 255]))
        return .success(LoadResult(image: image, cacheType: source, url: url, byteCount: byteCount))
    }

    @Test("each ending counts once in its place; a cell that was reused meanwhile does not count")
    func counts() throws {
        var statistics = GalleryStatistics()
        for source in [ImageCacheType.noCache, .noCache, .disk, .memory] {
            statistics.count(try result(source, byteCount: 600_000))
        }
        statistics.count(.failure(.cancelled()))
        statistics.count(.failure(WebImageError(.timedOut, stage: .load, kind: .transient, reason: "scripted")))
        #expect(
            statistics.summary
                == "4 pictures loaded: 2 from the network (1.2 MB), 1 from disk, 1 from memory; 1 failed")
    }

    @Test("pictures of files are counted apart from those of the network")
    func files() throws {
        var statistics = GalleryStatistics()
        statistics.count(try result(.noCache, byteCount: 600_000, url: "file:///a.jpg"))
        statistics.count(try result(.memory, url: "file:///a.jpg"))
        #expect(
            statistics.summary
                == "2 pictures loaded: 0 from the network (0.0 MB), 1 from files, 0 from disk, 1 from memory; 0 failed")
    }
}
