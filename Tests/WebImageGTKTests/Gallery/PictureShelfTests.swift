import FoundationEssentials
import Testing

@testable import webimage_gallery

@Suite struct PictureShelfTests {
    private func item(_ name: String, _ number: Int, date: Double? = nil, size: Int? = nil) -> GalleryItem {
        GalleryItem(
            url: URL(filePath: "/\(number)"), number: number, title: name,
            date: date.map { Date(timeIntervalSince1970: $0) }, byteCount: size)
    }

    private func numbers(_ items: [GalleryItem], _ key: PictureOrder.Key, descending: Bool = false) -> [Int] {
        var shelf = PictureShelf()
        shelf.all = items
        shelf.order = PictureOrder(key: key, isDescending: descending)
        return shelf.shown.map(\.number)
    }

    @Test("by name as people count, by date and by size, in both directions; what is unknown is last")
    func order() {
        let items = [
            item("photo 10", 0, date: 5, size: 100), item("photo 9", 1, date: 9), item("Album", 2, size: 50),
            item("photo 9", 3, date: 5, size: 100),
        ]
        #expect(numbers(items, .given) == [0, 1, 2, 3])
        #expect(numbers(items, .given, descending: true) == [3, 2, 1, 0])
        #expect(Array(numbers(items, .name).suffix(3)) == [1, 3, 0])
        #expect(numbers(items, .name, descending: true).firstIndex(of: 0) == 0)
        #expect(numbers(items, .date) == [0, 3, 1, 2])
        #expect(numbers(items, .date, descending: true) == [1, 0, 3, 2])
        #expect(numbers(items, .size) == [2, 0, 3, 1])
        #expect(numbers(items, .size, descending: true) == [0, 3, 2, 1])
    }

    @Test("all words must be in the name, anywhere and in any case")
    func search() {
        let search = PictureSearch("  BEACH été ")
        #expect(search.matches(FoldedText("Été on the beach.jpg")))
        #expect(!search.matches(FoldedText("beach.jpg")))
        #expect(!PictureSearch("a").matches(FoldedText("")))
        #expect(PictureSearch(" \n").matches(FoldedText("anything")))
        #expect(PictureSearch("aab").matches(FoldedText("aaab")))
        #expect(PictureSearch("%[.*").matches(FoldedText("a%[.*b")))
    }

    @Test("letters are the same with their accents apart, as some file systems have them, and in all cases")
    func accents() {
        #expect(PictureSearch("\u{E9}t\u{E9}").matches(FoldedText("E\u{301}te\u{301}.jpg")))
        #expect(PictureSearch("e\u{301}").matches(FoldedText("caf\u{E9}.jpg")))
        #expect(PictureSearch("STRASSE").matches(FoldedText("Straße.jpg")))
        #expect(!PictureSearch("\u{E9}").matches(FoldedText("cafe.jpg")))
    }

    @Test("a search keeps the order, and a new order the search")
    func both() {
        var shelf = PictureShelf()
        shelf.all = [item("b1", 0), item("c", 1), item("a1", 2)]
        shelf.search = PictureSearch("1")
        #expect(shelf.shown.map(\.number) == [0, 2])
        shelf.order.key = .name
        #expect(shelf.shown.map(\.number) == [2, 0])
        shelf.search = PictureSearch()
        #expect(shelf.shown.map(\.number) == [2, 0, 1])
        shelf.search = PictureSearch("b")
        shelf.all = [item("x", 0), item("b2", 1)]
        #expect(shelf.shown.map(\.number) == [1])
        shelf.all = []
        #expect(shelf.shown.isEmpty)
    }
}
