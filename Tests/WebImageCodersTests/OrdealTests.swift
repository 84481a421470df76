import Foundation
import Testing
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

/// The cost of hostile files under kernel limits: a child process decodes them in every way that an app may.
@Suite("Hostile files under limits of memory and time", .needsDecoderProcesses, .timeLimit(.minutes(15)))
struct OrdealTests {
    /// Megabytes beyond those of an idle program: 16 bytes for each allowed pixel, as stated in Docs/Formats.md, and
    /// the address space that library threads reserve.
    private static func megabytes(_ pixelCount: Int) -> Int { pixelCount >> 16 + 256 }
    /// Processor seconds per way of decoding: `ImageLimits.maximumDecodeDuration`, and the same again for codecs that
    /// cannot be interrupted. Three times as much for slow machines.
    private static let seconds = 180

    private let program: Program

    init() throws { program = try Program() }

    private func endure(_ paths: [String], pixelCount: Int, in place: String) async throws {
        let executable = Program.executable.deletingLastPathComponent().appending(path: "webimage-ordeal")
        let run = try await program.run(
            ["\(pixelCount)", "\(Self.megabytes(pixelCount))", "\(Self.seconds)", place] + paths, by: executable,
            environment: ["MALLOC_ARENA_MAX": "1"])
        #expect(run.status == 0, "it ended at: \(run.lines.last ?? "the start") \(run.errors.suffix(500))")
        #expect(run.lines.last?.hasPrefix("survived") == true)
    }

    /// Whether all formats are decoded in processes of their own, or those alone whose libraries trust files.
    private static let places = ["here", "isolated"]

    @Test(
        "hostile, too large and mislabelled files of the collections take no more than the caps",
        .needsCorpus, arguments: places)
    func corpus(place: String) async throws {
        let files = Corpus.files(in: ["hostile", "limits", "mislabelled"])
        #expect(files.count > 100)
        try await endure(files, pixelCount: 1 << 28, in: place)
    }

    @Test(
        "files with which fuzzing has ended a program, or filled its memory, take no more than the caps",
        arguments: places)
    func findings(place: String) async throws {
        let files = try FuzzSeeds.files() + FuzzSeeds.isolatedFiles()
        try await endure(files, pixelCount: 1 << 20, in: place)
    }

    @Test(
        "files that claim much and contain little, and files damaged at random, take no more than the caps",
        arguments: places)
    func ownFiles(place: String) async throws {
        let giants = try Self.giants.enumerated().map { try store($1, "giant-\($0)") }
        // A cache holds many thumbnails, which must not retain the buffers that they were made on.
        let many = [String](repeating: giants[0], count: 8)
        try await endure(try giants + many + mutants(), pixelCount: Self.pixelCount, in: place)
    }

    private static let side = 4096
    private static let pixelCount = side * side

    /// Pictures of the maximum number of pixels, and more, in a few bytes each.
    private static let giants: [Data] = {
        var png = PNGBuilder()
        png.appendHeader(width: side, height: side, isInterlaced: true)
        png.appendPixels([0])
        png.appendEnd()
        var gif = GIFBuilder(width: side, height: side)
        for _ in 0..<2 { gif.appendFrame(width: 1, height: 1, indices: [1]) }
        gif.appendTrailer()
        var bmp = BMPBuilder(width: side, height: side, bitsPerPixel: 8)
        bmp.compression = 1
        return [gif.data, png.data, bmp.data, outsideFrame, icon] + drawings(with: png.data)
    }()

    /// Groups and patterns that hold a surface each, and content of `data:` URLs that librsvg reads: pictures of the
    /// maximum number of pixels, and documents whose references nest too deep or whose filter never ends.
    private static func drawings(with png: Data) -> [Data] {
        let nested = String(repeating: "<g opacity='.9'><rect width='9' height='9'/>", count: 50)
        let patterns = (0..<20_000).map { "<pattern id='p\($0)'><rect fill='url(#p\($0 + 1))'/></pattern>" }.joined()
        let tile = "<pattern id='p' patternUnits='userSpaceOnUse' width='20000' height='20000'>"
        let shade =
            "<rect width='20000' height='20000' fill='red'/></pattern><rect width='9' height='9' fill='url(#p)'/>"
        let noise = "<filter id='f'><feTurbulence baseFrequency='.1' numOctaves='2000000000'/></filter>"
        func showing(_ type: String, _ file: Data, count: Int = 1) -> Data {
            let image = "<image width='9' height='9' href='data:image/\(type);base64,\(file.base64EncodedString())'/>"
            return drawing(String(repeating: image, count: count), side: 9)
        }
        return [
            drawing(nested + String(repeating: "</g>", count: 50), side: side), showing("png", png),
            drawing(tile + shade, side: 9), showing("png", png, count: 20), showing("gif", outsideFrame),
            showing("svg+xml", drawing(patterns + "<rect width='9' height='9' fill='url(#p0)'/>", side: 9)),
            showing("svg+xml", drawing(noise + "<rect width='9' height='9' filter='url(#f)'/>", side: 9)),
        ]
    }

    private static func drawing(_ content: String, side: Int) -> Data {
        Data("<svg xmlns='http://www.w3.org/2000/svg' width='\(side)' height='\(side)'>\(content)</svg>".utf8)
    }

    /// A frame of four thousand million pixels on a screen of one, followed only by comments.
    private static var outsideFrame: Data {
        var gif = GIFBuilder(width: 1, height: 1)
        gif.appendFrame(width: 65_535, height: 65_535, indices: [1])
        for _ in 0..<3 { gif.append([0x21, 0xFE, 100] + [UInt8](repeating: 0, count: 101)) }
        gif.appendTrailer()
        return gif.data
    }

    /// A thousand pictures that are all the same one, with a long header.
    private static var icon: Data {
        var png = PNGBuilder()
        png.appendHeader(width: 1, height: 1)
        var empty = PNGBuilder()
        empty.append("teSt", [])
        let head = png.data + (0..<20_000).reduce(into: Data()) { data, _ in data += empty.data.dropFirst(8) }
        let count = 1000
        var file = Data([0, 0, 1, 0] + BMPBuilder.littleEndian(count, bytes: 2))
        let place = BMPBuilder.littleEndian(head.count, bytes: 4) + BMPBuilder.littleEndian(6 + count * 16, bytes: 4)
        for _ in 0..<count { file += [0, 0, 0, 0, 0, 0, 0, 0] + place }
        return file + head
    }

    /// For every format with a picture.
    private func mutants() throws -> [String] {
        var paths: [String] = []
        var mutator = FileMutator(seed: 11)
        for name in try FileManager.default.contentsOfDirectory(atPath: Fixtures.path("")).sorted()
        where name.contains(".") {
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
