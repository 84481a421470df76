import Foundation
import Testing
import WebImage

@testable import webimage_gallery

@Suite @MainActor struct HashedItemsTests {
    @Test("each quarter of the second screen has placeholders of its own kind")
    func kinds() throws {
        let samples = SamplePictures.load().samples.prefix(8)
        let pictures = try samples.enumerated().map { number, sample in
            GalleryOrigin.Picture(url: try #require(URL(string: "http://host/\(number).jpg")), sample: sample)
        }
        let items = HashedItems.items(of: Array(pictures))
        #expect(items.map(\.number) == Array(0..<8))
        let names = ["ThumbHash", "BlurHash", "Colour", "Cached hash"]
        #expect(items.map(\.placeholderName) == names.flatMap { [$0, $0] })
        let widths = items.compactMap(\.placeholder?.pixelSize).map { max($0.width, $0.height) }
        #expect(widths == [32, 32, 32, 32, 1, 1, 1, 1])
        #expect(items.first?.name == "ThumbHash · 0.jpg")
    }

    @Test("of the pictures of other servers only the cache may have a hash, and a few pictures are enough")
    func remote() throws {
        let urls = try (0..<3).map { try #require(URL(string: "http://host/\($0).jpg")) }
        #expect(HashedItems.items(of: urls).map(\.placeholderName) == ["Cached hash", "Cached hash", "Cached hash"])
        #expect(HashedItems.items(of: [] as [URL]).isEmpty)
    }
}
