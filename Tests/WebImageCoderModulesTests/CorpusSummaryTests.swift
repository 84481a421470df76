import Foundation
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@Suite("The whole corpus by all coders", .needsCorpus, .needsDecoderProcesses)
struct CorpusSummaryTests {
    private static let coder = DecoderProcesses.coders

    /// The results for files that must decode or be refused, and for those with known pixels.
    private struct Tally {
        var right = 0
        var exact = 0
        /// The failures, by path.
        var wrong: [String: String] = [:]
    }

    private static func decode(_ entry: Corpus.Entry) -> Result<Image, WebImageError> {
        Result { () throws(WebImageError) in
            var options = ImageDecodeOptions.storedPixels
            options.decodesFirstFrameOnly = true
            return try coder.decode(Corpus.data(at: entry.path), options: options)
        }
    }

    private static func judge(_ entry: Corpus.Entry, _ tally: inout Tally) {
        switch (entry.expectation, decode(entry)) {
        case (.decodes, .success(let image)):
            tally.right += 1
            guard entry.digestAgreement >= 2, let digest = entry.pixelDigest else { return }
            if Digest.sha256(Corpus.comparablePixels(image, entry, coder)) == digest {
                tally.exact += 1
            } else {
                tally.wrong[entry.path] = "other pixels"
            }
        case (.rejects, .failure): tally.right += 1
        case (.decodes, .failure(let error)): tally.wrong[entry.path] = error.reason
        case (.rejects, .success): tally.wrong[entry.path] = "accepted"
        default: break
        }
    }

    /// The rows that `Docs/Formats.md` lists as failing.
    private static func rowsThatFail() -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let page = (try? String(contentsOf: root.appending(path: "Docs/Formats.md"), encoding: .utf8)) ?? ""
        let section = page.split(separator: "### What fails").last?.split(separator: "\n## ").first ?? ""
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap { row in
            row.split(separator: "`").dropFirst().first.map(String.init)
        }
    }

    @Test("at least 960 of 968 files decode or are refused as they must, 645 of 651 exactly; the page lists the others")
    func summary() {
        var tally = Tally()
        for entry in Corpus.entries { Self.judge(entry, &tally) }
        #expect(tally.right >= 960, "\(tally.right): \(tally.wrong)")
        #expect(tally.exact >= 645, "\(tally.exact): \(tally.wrong)")
        var expected = Set(Self.rowsThatFail())
        #if PDF
            expected = expected.filter { !$0.hasPrefix("pdf/") }
        #endif
        #expect(Set(tally.wrong.keys) == expected, "Docs/Formats.md lists \(expected), and this fails: \(tally.wrong)")
    }
}
