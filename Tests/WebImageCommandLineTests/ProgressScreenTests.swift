import FoundationEssentials
import Testing
import WebImage

@testable import WebImageCommandLine
@testable import webimage

@Suite("Command line: output for people")
struct ProgressScreenTests {
    private let bar = ProgressBar(label: "photo.jpg", receivedByteCount: 1_234_567, fraction: 0.45)

    @Test("a bar shows name, share and bytes, within the columns of the terminal", arguments: 1...200)
    func width(columns: Int) {
        for fraction in [nil, 0, 0.5, 1] as [Double?] {
            let bar = ProgressBar(label: "写真-photo-very-long-name-é.jpg", receivedByteCount: 12_345, fraction: fraction)
            #expect(bar.line(columns: columns).columnCount <= columns)
        }
    }

    @Test("a bar at 80 columns")
    func line() {
        #expect(
            bar.line(columns: 80)
                == "photo.jpg                   [===============>                  ]  45%    1.2 MB")
    }

    @Test("drawing again first erases the rows that stand there, also those that wrapped when the window shrank")
    func erase() {
        var screen = ProgressScreen()
        let first = screen.draw([bar, bar], columns: 80, rows: 24)
        #expect(first.split(separator: "\n").count == 2 && !first.contains("\u{1B}"))
        #expect(screen.draw([bar], columns: 80, rows: 24).hasPrefix("\u{1B}[2A\r\u{1B}[J"))
        #expect(screen.draw([bar], columns: 40, rows: 24).hasPrefix("\u{1B}[2A\r\u{1B}[J"))
        #expect(screen.draw([], columns: 40, rows: 24) == "\u{1B}[1A\r\u{1B}[J")
        #expect(screen.draw([], columns: 40, rows: 24).isEmpty)
    }

    @Test("there are never more bars than rows")
    func rows() {
        var screen = ProgressScreen()
        let bars = Array(repeating: bar, count: 50)
        #expect(screen.draw(bars, columns: 80, rows: 10).split(separator: "\n").count == 9)
    }

    @Test("a line that is printed goes above the bars")
    func room() {
        var screen = ProgressScreen()
        let text = screen.draw([bar], columns: 80, rows: 24)
        let (erase, redraw) = screen.makeRoom(columns: 80)
        #expect(erase == "\u{1B}[1A\r\u{1B}[J" && redraw == text)
    }

    @Test(
        "quantities are readable",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (20_480, "20.5 kB"), (999_949, "999.9 kB"),
            (999_950, "1.0 MB"),
            (2_811_904, "2.8 MB"), (5_000_000_000, "5.0 GB"), (9_000_000_000_000_000, "9000.0 TB"),
        ])
    func bytes(count: Int, text: String) {
        #expect(Quantity.bytes(count) == text)
    }

    @Test("text is cut in the middle, by columns and not by characters")
    func fitting() {
        #expect("abcdefghij".fitted(to: 5) == "ab…ij")
        #expect("abc".fitted(to: 3) == "abc")
        #expect("写真写真".fitted(to: 5).columnCount <= 5)
        #expect("abc".fitted(to: 1) == "…" && "abc".fitted(to: 0).isEmpty)
    }

    @Test("names in a directory do not depend on the order in which loads end")
    func names() throws {
        let urls = try [
            "http://h/a.jpg", "http://h/b/a.jpg", "http://h/a", "http://h/\(String(repeating: "é", count: 300))",
            "http://h/..%2F..%2F.evil%00%0A.jpg",
        ]
        .map { try #require(URL(string: $0)) }
        let names = OutputNames(urls: urls, format: nil)
        #expect(names.name(at: 1, format: .jpeg) == "a-2.jpg")
        #expect(names.name(at: 0, format: .jpeg) == "a.jpg")
        #expect(names.name(at: 2, format: .png) == "a.png")
        #expect(names.name(at: 3, format: .webP).utf8.count <= 255)
        #expect(names.expectedName(at: 4) == "_.._.evil.jpg")
        let fixed = OutputNames(urls: urls, format: .png)
        #expect((0..<3).map { fixed.name(at: $0, format: .png) } == ["a.png", "a-2.png", "a-3.png"])
    }
}
