import Testing
import WebImagePresentation

@Suite("The pages of a browser")
struct PagePositionTests {
    @Test("MW-30 pages lie side by side, ten points of padding at each side")
    func places() {
        var position = PagePosition(count: 3)
        #expect(position.x(of: 0, width: 500) == 0 && position.x(of: 1, width: 500) == 520)
        position.move(to: 1.5)
        #expect(position.x(of: 1, width: 500) == -260 && position.x(of: 2, width: 500) == 260)
        #expect(position.visible == 1..<3)
    }

    @Test("MW-30 the current page is the one in the middle of the view, within the ends")
    func index() {
        var position = PagePosition(count: 3)
        for (place, index) in [(0.4, 0), (0.6, 1), (-0.4, 0), (2.4, 2), (7, 2)] {
            position.move(to: place)
            #expect(position.index == index)
        }
        #expect(PagePosition(count: 0).index == 0 && PagePosition(count: 0).visible.isEmpty)
    }

    @Test("MW-16 there is no page before the first one and none after the last one")
    func ends() {
        let first = PagePosition(count: 3)
        #expect(!first.hasPrevious && first.hasNext)
        let last = PagePosition(count: 3, index: 2)
        #expect(last.hasPrevious && !last.hasNext)
        #expect(!PagePosition(count: 1).hasNext && !PagePosition(count: 0).hasNext)
    }

    @Test("MW-15 an index out of range becomes the nearest one")
    func clamped() {
        #expect(PagePosition(count: 3, index: 9).index == 2 && PagePosition(count: 3, index: -4).index == 0)
        var position = PagePosition(count: 3)
        position.jump(to: 5)
        #expect(position.index == 2)
    }

    @Test("MW-14 where there are fewer pages now, the last one is the current one")
    func fewer() {
        var position = PagePosition(count: 9, index: 7)
        position.setCount(3)
        #expect(position.index == 2)
        position.setCount(0)
        #expect(position.index == 0 && position.count == 0)
    }

    @Test("a drag beyond an end follows by half, and at most by half a page")
    func softEnds() {
        var position = PagePosition(count: 2)
        position.drag(by: -0.2)
        #expect(position.position == -0.1)
        position.drag(by: -9)
        #expect(position.position == -0.5)
    }

    @Test("a quick swipe turns one page, a slow one the page in the middle")
    func swipes() {
        var position = PagePosition(count: 9, index: 4)
        position.drag(by: 0.1)
        #expect(position.target(from: 4, velocity: 3) == 5 && position.target(from: 4, velocity: 0) == 4)
        #expect(position.target(from: 4, velocity: -3) == 4)
        position.drag(by: 0.6)
        #expect(position.target(from: 4, velocity: 0.1) == 5)
        position.move(to: 8)
        #expect(position.target(from: 8, velocity: 9) == 8)
    }

    @Test("MW-30 the current photo and its neighbours are kept, the next one is loaded before the previous one")
    func window() {
        let window = PhotoWindow(around: 4, of: 9)
        #expect(window.kept == 3..<6 && window.adjacent == [5, 3])
        #expect(PhotoWindow(around: 0, of: 9).adjacent == [1] && PhotoWindow(around: 8, of: 9).adjacent == [7])
        #expect(PhotoWindow(around: 0, of: 0).kept.isEmpty && PhotoWindow(around: 0, of: 1).adjacent.isEmpty)
    }

    @Test("MW-21 MW-39 titles count photos from one, and say nothing about a single one")
    func titles() {
        #expect(PhotoTitles.page(2, of: 12) == "3 of 12" && PhotoTitles.page(0, of: 1).isEmpty)
        #expect(PhotoTitles.grid(count: 1, isSelecting: false) == "1 photo")
        #expect(PhotoTitles.grid(count: 12, isSelecting: false) == "12 photos")
        #expect(PhotoTitles.grid(count: 12, isSelecting: true) == "Select Photos")
    }
}
