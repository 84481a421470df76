import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageDecoder
import WebImageIsolation
import WebImageTestSupport

@testable import WebImageTestDoubles

/// All files of the collections, and those that fuzzing starts from, decoded in processes of their own.
@Suite("The corpus in decoder processes", .needsDecoderProcesses, .timeLimit(.minutes(20)))
struct ProcessCorpusTests {
    @Test("every file of the corpus gives the pixels, or the error, that it gives in this process", .needsCorpus)
    func corpus() { ProcessedFiles.check(Corpus.entries) }

    @Test("thumbnails, too", .needsCorpus)
    func thumbnails() {
        var options = ProcessedFiles.options
        options.thumbnailPixelSize = PixelSize(width: 40, height: 30)
        ProcessedFiles.check(Corpus.entries, options: options)
    }
}

/// A part of them that takes seconds.
@Suite("Files of the collections in decoder processes", .needsDecoderProcesses, .timeLimit(.minutes(5)))
struct ProcessSampleTests {
    @Test("small files of some folders of the corpus give what they give in this process", .needsCorpus)
    func sample() {
        let small = Corpus.entries.filter { $0.size.map { $0.area < 1 << 16 } ?? true }
        let folders = Dictionary(grouping: small) {
            $0.path.split(separator: "/").dropLast().joined(separator: "/")
        }
        var generator = SplitMix(state: 38)
        let some = folders.sorted { $0.key < $1.key }.shuffled(using: &generator).prefix(60)
        ProcessedFiles.check(some.compactMap { $0.value.randomElement(using: &generator) })
    }

    @Test("files that fuzzing starts from give what they give in this process")
    func seeds() throws {
        for path in try FuzzSeeds.files() {
            let data = try Data(contentsOf: URL(filePath: path))
            guard ProcessedFiles.areRead(data) else { continue }
            ProcessedFiles.here.check(data, path, options: ProcessedFiles.options)
        }
    }

    @Test("files with which a library ends its process cost themselves")
    func isolatedSeeds() throws {
        for path in try FuzzSeeds.isolatedFiles() {
            let data = try Data(contentsOf: URL(filePath: path))
            var options = ProcessedFiles.options
            options.limits.maximumDecodeDuration = .milliseconds(500)
            ProcessComparison.endure(data, path, options: options)
        }
    }
}

private enum ProcessedFiles {
    static let here = ProcessComparison(ImageCodersManager(coders: DecoderCoders.all))

    static var options: ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 1 << 24
        options.limits.maximumDecodeDuration = .seconds(10)
        return options
    }

    /// PDF is read by builds that have its coder.
    static func areRead(_ data: Data) -> Bool { DecoderKind.pdf.coder != nil || !DecoderKind.pdf.recognizes(data) }

    static func check(_ entries: [Corpus.Entry], options: ImageDecodeOptions = options) {
        for entry in entries {
            let data = Corpus.data(at: entry.path)
            guard areRead(data) else { continue }
            if endsProcesses(entry, data) {
                ProcessComparison.endure(data, entry.path, options: options)
            } else {
                here.check(data, entry.path, options: options)
            }
        }
    }

    /// libheif, librsvg and poppler are known to end the process with such files.
    private static func endsProcesses(_ entry: Corpus.Entry, _ data: Data) -> Bool {
        let isValid = entry.expectation == .decodes || entry.expectation == .rejects
        return !isValid && [DecoderKind.heif, .svg, .pdf].contains { $0.recognizes(data) }
    }
}
