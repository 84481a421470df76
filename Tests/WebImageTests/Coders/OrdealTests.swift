import Foundation
import Testing
import WebImageTestSupport
import WebImageTesting

/// What files of strangers may cost, kept by the kernel: a program of its own reads them in every way that an app may.
@Suite("Hostile files under limits of memory and time", .timeLimit(.minutes(15)))
struct OrdealTests {
    /// Megabytes beyond what a program takes that has read nothing: the cap that Docs/Formats.md states.
    private static let megabytes = 4096
    /// Of a processor for each way of reading a file: what `ImageLimits.maximumDecodeDuration` has, and as much again for
    /// codecs that cannot be interrupted.
    private static let seconds = 60

    private let program: Program

    init() throws { program = try Program() }

    private func endure(_ paths: [String]) async throws {
        let executable = Program.executable.deletingLastPathComponent().appending(path: "webimage-ordeal")
        let run = try await program.run(["\(Self.megabytes)", "\(Self.seconds)"] + paths, by: executable)
        #expect(run.status == 0, "it ended at: \(run.lines.last ?? "the start") \(run.errors.suffix(500))")
        #expect(run.lines.last?.hasPrefix("survived") == true)
    }

    @Test("files of the collections that are hostile, too large or called something else take no more than the caps")
    func corpus() async throws {
        let files = Corpus.files(in: ["hostile", "limits", "mislabelled"])
        guard !files.isEmpty else { return }
        try await endure(files)
    }

    @Test("files that claim much and hold little, and files damaged at random, take no more than the caps")
    func ownFiles() async throws {
        try await endure(try Self.giants().enumerated().map { try store($1, "giant-\($0)") } + mutants())
    }

    /// A few bytes each.
    private static func giants() throws -> [Data] {
        var png = PNGBuilder()
        png.appendHeader(width: 16_384, height: 16_384, isInterlaced: true)
        png.appendPixels([0])
        png.appendEnd()
        var gif = GIFBuilder(width: 16_384, height: 16_384)
        for _ in 0..<3 { gif.appendFrame(width: 1, height: 1, indices: [1]) }
        gif.appendTrailer()
        var bmp = BMPBuilder(width: 16_000, height: 16_000, bitsPerPixel: 8)
        bmp.compression = 1
        var icon = ICOBuilder()
        for _ in 0..<40 { icon.append(side: 256, color: [1, 2, 3, 4]) }
        return [png.data, gif.data, bmp.data, icon.data]
    }

    /// Of every format that there is a picture of.
    private func mutants() throws -> [String] {
        var paths: [String] = []
        var mutator = FileMutator(seed: 11)
        for name in try FileManager.default.contentsOfDirectory(atPath: Fixtures.path("")).sorted() {
            let data = try Fixtures.data(name)
            for round in 0..<4 { paths.append(try store(mutator.mutate(data), "\(round)-\(name)")) }
        }
        return paths
    }

    private func store(_ data: Data, _ name: String) throws -> String {
        let file = program.file(name)
        try data.write(to: file)
        return file.path
    }
}
