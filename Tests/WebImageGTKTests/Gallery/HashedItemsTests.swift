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

    private func items(_ pictures: [(url: URL, title: String?)]) -> [GalleryItem] {
        let items = pictures.enumerated().map { GalleryItem(url: $1.url, number: $0, title: $1.title) }
        return HashedItems.items(of: items, Cancellable())
    }

    @Test("of the pictures on the web only the cache may have a hash; those of phones have none, and are not there")
    func remote() throws {
        let urls = try ["http://host/0.jpg", "mtp://phone/1.jpg", "data:image/png;base64,AAAA", "https://host/2.jpg"]
            .map { (url: try #require(URL(string: $0)), title: nil as String?) }
        let items = items(urls)
        #expect(items.map(\.name) == ["Cached hash · 0.jpg", "Cached hash · 2.jpg"])
        #expect(items.map(\.number) == [0, 1])
        #expect(self.items([]).isEmpty)
    }

    @Test("files are read for their hashes and keep their names; one that is no picture has none")
    func files() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/webimage-gallery/Pictures").standardizedFileURL
        let names = ["islands-07.jpg", "planet-01.png", "README.md", "sky-03.gif"]
        let items = items(names.map { (folder.appending(path: $0), "the \($0)") })
        #expect(
            items.map(\.name) == [
                "ThumbHash · the islands-07.jpg", "BlurHash · the planet-01.png", "the README.md",
                "Colour · the sky-03.gif",
            ])
        #expect(items.map { $0.placeholder != nil } == [true, true, false, true])
    }
}
