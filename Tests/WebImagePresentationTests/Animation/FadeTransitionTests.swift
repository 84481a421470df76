import FoundationEssentials
import Testing
import WebImageCore
import WebImagePresentation

@Suite struct FadeTransitionTests {
    @Test("S0-18 lasts 0.85 s and eases in and out")
    func defaults() {
        #expect(FadeTransition().duration == .seconds(0.85))
        #expect(FadeTransition().timing == .easeInEaseOut)
    }

    @Test("S0-16 only a picture from the network fades", arguments: [ImageCacheType.noCache, .disk, .memory, .all])
    func sources(cacheType: ImageCacheType) throws {
        let url = try #require(URL(string: "http://host/a.jpg"))
        let bitmap = try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 255])
        let result = LoadResult(image: Image(bitmap: bitmap), cacheType: cacheType, url: url)
        #expect(FadeTransition.applies(to: .success(result)) == (cacheType == .noCache))
    }

    @Test("S0-16 a failure never fades, although it comes from no cache either")
    func failure() {
        #expect(!FadeTransition.applies(to: .failure(.cancelled())))
    }
}
