import FoundationEssentials
import Testing
import WebImageCore
import WebImagePixels
import WebImageTestSupport
import WebImageTesting

@testable import WebImageCoders
@testable import WebImageTestDoubles

/// Decoding without libpng must be the same as with it, for every file and every damage to one.
@Suite("PNG without libpng")
struct PNGRowsTests {
    /// The result for a file: its pixels, or the kind of error.
    enum Outcome: Equatable {
        case pixels([UInt8])
        case refused(WebImageError.Code)
    }

    static func decode(
        _ data: Data, usesLibraryOnly: Bool, options: ImageDecodeOptions = .storedPixels
    ) -> Outcome {
        do throws(WebImageError) {
            let contents = try PNGReader.contents(of: data, isComplete: true, limits: options.limits)
            let geometry = ThumbnailGeometry(
                storedSourceSize: contents.header.size, orientation: .up, options: options)
            try PNGCoder.check(contents.header, geometry: geometry, limits: options.limits)
            let pixels = PNGPixels(contents, geometry: geometry, options: options)
            let bitmap = try data.bytes.withUnsafeBytes { bytes throws(WebImageError) in
                try pixels.decode(bytes, usesLibraryOnly: usesLibraryOnly)
            }
            return .pixels(bitmap.bytes)
        } catch {
            return .refused(error.code)
        }
    }

    static func isDecodedWithoutLibrary(_ data: Data) throws -> Bool {
        let contents = try PNGReader.contents(of: data, isComplete: true, limits: ImageLimits())
        return data.bytes.withUnsafeBytes {
            PNGInflatedRows($0, header: contents.header, forThumbnail: false) != nil
        }
    }

    /// A file with rows of noise, each filtered by the next of the five filters.
    static func filtered(_ kind: PNGKind, width: Int = 45, height: Int = 23, transparency: [UInt8]? = nil) -> Data {
        var builder = PNGBuilder()
        builder.appendHeader(width: width, height: height, bitDepth: kind.bitDepth, colorType: kind.colorType)
        if kind.colorType == 3 { builder.append("PLTE", Array(PNGKind.palette.prefix(1 << kind.bitDepth).joined())) }
        if let transparency { builder.append("tRNS", transparency) }
        var random = SeededGenerator(seed: UInt64(kind.colorType * 100 + kind.bitDepth))
        let rowLength = (width * kind.channelCount * kind.bitDepth + 7) / 8
        let rows = (0..<height).flatMap { row -> [UInt8] in
            [UInt8(row % 5)] + (0..<rowLength).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        builder.appendPixels(rows)
        builder.appendEnd()
        return builder.data
    }

    static let kinds = PNGKind.all.filter { !$0.isInterlaced && $0.bitDepth <= 8 }

    @Test("every filter is undone as by libpng, at every width", arguments: kinds)
    func filters(kind: PNGKind) throws {
        for width in [1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 200] {
            let file = Self.filtered(kind, width: width)
            #expect(try Self.isDecodedWithoutLibrary(file))
            #expect(Self.decode(file, usesLibraryOnly: false) == Self.decode(file, usesLibraryOnly: true))
        }
    }

    @Test(
        "a transparent colour is found as by libpng",
        arguments: kinds.filter { [0, 2, 3].contains($0.colorType) })
    func transparency(kind: PNGKind) throws {
        let candidates: [[UInt8]] =
            switch kind.colorType {
            case 0: (0..<(1 << kind.bitDepth)).map { [0, UInt8($0)] } + [[1, 0], [0, 255], [], [0]]
            case 2: [[0, 0, 0, 0, 0, 0], [0, 9, 0, 8, 0, 7], [1, 9, 0, 8, 0, 7], [0, 1]]
            default: [[0], [0, 77, 200, 3], Array(repeating: 5, count: 300), []]
            }
        for transparency in candidates {
            let file = Self.filtered(kind, width: 300, transparency: transparency)
            #expect(
                Self.decode(file, usesLibraryOnly: false) == Self.decode(file, usesLibraryOnly: true),
                "\(transparency)")
        }
    }

    @Test("thumbnails are the same", arguments: kinds)
    func thumbnails(kind: PNGKind) {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 10, height: 10)
        let file = Self.filtered(kind)
        #expect(
            Self.decode(file, usesLibraryOnly: false, options: options)
                == Self.decode(file, usesLibraryOnly: true, options: options))
    }

    @Test("2,000 damaged files of a kind are decoded or refused as by libpng", arguments: kinds)
    func damage(kind: PNGKind) {
        let file = Self.filtered(kind, width: 20, height: 11, transparency: kind.colorType == 3 ? [1, 2] : nil)
        var mutator = FileMutator(seed: UInt64(kind.colorType * 1000 + kind.bitDepth))
        for index in 0..<2000 {
            // Half of them with corrected checksums, so that the damage reaches the code behind these.
            let mutant = mutator.mutate(file)
            let data = index.isMultiple(of: 2) ? PNGBuilder.repairingCheckSums(mutant) : mutant
            let (fast, slow) = (Self.decode(data, usesLibraryOnly: false), Self.decode(data, usesLibraryOnly: true))
            if fast != slow { Issue.record("mutant \(index) differs") }
        }
    }

    @Test(
        "damage in compressed pixels is decoded or refused as by libpng",
        arguments: ["palette.png", "photo-small.png", "translucent.png"])
    func deflatedDamage(name: String) throws {
        let file = try Fixtures.data(name)
        var mutator = FileMutator(seed: 77)
        for index in 0..<200 {
            let data = PNGBuilder.repairingCheckSums(mutator.mutate(file))
            if Self.decode(data, usesLibraryOnly: false) != Self.decode(data, usesLibraryOnly: true) {
                Issue.record("mutant \(index) differs")
            }
        }
    }

    @Test("unusual files are left to libpng")
    func unusual() throws {
        let rows: [UInt8] = [0, 1, 2, 3, 4]
        func file(_ change: (inout PNGBuilder) -> Void) -> Data {
            var builder = PNGBuilder()
            builder.appendHeader(width: 1, height: 1)
            change(&builder)
            builder.appendEnd()
            return builder.data
        }
        #expect(try Self.isDecodedWithoutLibrary(file { $0.appendPixels(rows) }))
        let compressed = PNGBuilder.zlib(rows)
        // Separated pixel chunks, one of them empty; ancillary chunks, one of them with a wrong checksum.
        #expect(
            try Self.isDecodedWithoutLibrary(
                file {
                    $0.append("tEXt", [65, 0, 66], damagesCheckSum: true)
                    for part in [compressed[..<3], compressed[3..<3], compressed[3...]] {
                        $0.append("IDAT", Array(part))
                    }
                }))
        let changes: [(inout PNGBuilder) -> Void] = [
            { $0.append("IDAT", compressed, damagesCheckSum: true) },
            {
                $0.append("ABCD", [1]); $0.appendPixels(rows)
            },
            {
                $0.appendPixels(rows); $0.append("tEXt", [65, 0]); $0.append("IDAT", [])
            },
            { $0.appendPixels([0, 1, 2, 3, 4, 5]) },
            { $0.appendPixels([0, 1, 2, 3]) },
            { $0.appendPixels([5, 1, 2, 3, 4]) },
            {
                $0.append("tRNS", [0, 1]); $0.appendPixels(rows)
            },
            { $0.append("IDAT", [0x08] + compressed.dropFirst()) },
        ]
        for (index, change) in changes.enumerated() {
            let data = file(change)
            #expect(try !Self.isDecodedWithoutLibrary(data), "\(index)")
            #expect(Self.decode(data, usesLibraryOnly: false) == Self.decode(data, usesLibraryOnly: true), "\(index)")
        }
    }

    @Test("a wrong check sum of pixels is an error, as whole and as thumbnail")
    func checkSum() throws {
        var builder = PNGBuilder()
        builder.appendHeader(width: 2, height: 1)
        builder.append("IDAT", PNGBuilder.zlib([0, 1, 2, 3, 4, 5, 6, 7, 8]), damagesCheckSum: true)
        builder.appendEnd()
        var options = ImageDecodeOptions()
        for box in [nil, PixelSize(width: 1, height: 1)] {
            options.thumbnailPixelSize = box
            let error = #expect(throws: WebImageError.self) { try PNGCoder().decode(builder.data, options: options) }
            #expect(error?.code == .badImageData && error?.reason.contains("CRC") == true)
        }
    }

    @Test("a header with a false size costs no memory", arguments: [2, 6])
    func emptyPromise(colorType: Int) {
        var builder = PNGBuilder()
        builder.appendHeader(width: 16_000, height: 16_000, colorType: colorType)
        builder.appendPixels([0])
        builder.appendEnd()
        #expect(throws: WebImageError.self) { try PNGCoder().decode(builder.data, options: ImageDecodeOptions()) }
    }
}

@Suite("PNG without libpng, files of the corpus", .needsCorpus)
struct PNGRowsCorpusTests {
    @Test(
        "each file is decoded or refused as by libpng", arguments: ["png", "apng"].flatMap { Corpus.entries(of: $0) })
    func same(entry: Corpus.Entry) {
        let data = Corpus.data(at: entry.path)
        #expect(
            PNGRowsTests.decode(data, usesLibraryOnly: false) == PNGRowsTests.decode(data, usesLibraryOnly: true))
    }

    @Test("most files need no libpng")
    func share() throws {
        let files = Corpus.entries(of: "png", .decodes).map { Corpus.data(at: $0.path) }
        let eligible = try files.filter {
            let header = try PNGReader.contents(of: $0, isComplete: true, limits: .forHeaders).header
            return !header.isInterlaced && header.bitDepth <= 8
        }
        let own = try eligible.filter { try PNGRowsTests.isDecodedWithoutLibrary($0) }
        #expect(own.count >= eligible.count * 95 / 100, "\(own.count) of \(eligible.count)")
    }
}
