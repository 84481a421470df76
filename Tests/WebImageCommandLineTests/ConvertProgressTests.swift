import Foundation
import Testing
import WebImage

@testable import WebImageCommandLine
@testable import WebImageTestDoubles

@Suite("Command line: progress of conversions", .timeLimit(.minutes(5)))
struct ConvertProgressTests {
    private let program: Program

    init() throws { program = try Program() }

    /// A BMP of random pixels, which take a while to compress.
    private static func noise(side: Int) -> Data {
        func number(_ value: Int, bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> ($0 * 8) & 255) } }
        let byteCount = side * side * 3
        var file = Data("BM".utf8)
        let fields = [
            (54 + byteCount, 4), (0, 4), (54, 4), (40, 4), (side, 4), (side, 4), (1, 2), (24, 2), (0, 8), (0, 8),
            (0, 8),
        ]
        for (value, bytes) in fields { file.append(contentsOf: number(value, bytes: bytes)) }
        var state = UInt64(88_172_645_463_325_252)
        let words = (0..<(byteCount + 7) / 8).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
        return file + words.withUnsafeBytes { Data($0.prefix(byteCount)) }
    }

    @Test("on a terminal it tells what it does and how long that takes, and the line is gone at the end")
    func progress() async throws {
        // A multiple of four, so that rows need no padding.
        try Self.noise(side: 3000).write(to: program.file("a.bmp"))
        let terminal = try Terminal()
        let run = try await program.run(["convert", "a.bmp", "a.webp"], errors: terminal.program) { _ in
            let text = await terminal.read(until: "writing WebP, ")
            #expect(text.contains("a.bmp  "))
            try terminal.program.close()
            #expect(await terminal.read(until: "never").hasSuffix("\u{1B}[J"))
        }
        #expect(run.status == 0 && run.text.hasPrefix("WebP "), "\(run.text)")
        #expect(!run.text.contains("\u{1B}"))
    }

    @Test("an activity takes the place of the bytes, and fits any width")
    func line() {
        var bar = ProgressBar(label: "photo.jpg", receivedByteCount: 1_234_567, fraction: 1)
        bar.activity = "writing HEIC"
        bar.elapsed = .seconds(12.9)
        #expect(bar.line(columns: 80) == "photo.jpg  writing HEIC, 12 s")
        for columns in 1...100 { #expect(bar.line(columns: columns).columnCount <= columns) }
    }
}
