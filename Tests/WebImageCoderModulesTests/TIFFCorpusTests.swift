import Testing
import WebImageCore
import WebImageTIFF
import WebImageTestSupport

@Suite("TIFF files of the corpus", .needsCorpus)
struct TIFFCorpusTests {
    static let entries = ["tiff", "bigtiff"].flatMap { Corpus.entries(of: $0) }

    @Test("TIFF files decode to the pixels of other decoders, or fail cleanly", arguments: entries)
    func decoding(entry: Corpus.Entry) {
        Corpus.checkDecoding(entry, by: TIFFCoder())
    }

    @Test("TIFF directories are read correctly", arguments: entries.filter { $0.expectation == .decodes })
    func properties(entry: Corpus.Entry) throws {
        let data = Corpus.data(at: entry.path)
        let properties = try #require(try TIFFCoder().properties(of: data, isComplete: true))
        let orientation = ImageOrientation(rawValue: entry.orientation ?? 1) ?? .up
        // The manifest has upright TIFF sizes.
        #expect(properties.pixelSize == entry.size)
        #expect(properties.orientation == orientation)
        #expect(properties.frameCount == entry.frameCount)
        #expect(try TIFFCoder().properties(of: data.prefix(data.count / 2), isComplete: false) == nil)
    }

    @Test(
        "all depths from 2 to 32 bits, together and in planes, show the same flower",
        arguments: entries.filter {
            // One of the 32-bit files has floats beyond 0 to 1.
            $0.path.contains("libtiffpic-depth/flower-rgb") && !$0.path.hasSuffix("planar-32.tif")
        })
    func depths(entry: Corpus.Entry) throws {
        try expectFlower(entry, reference: "flower-rgb-contig-08.tif")
    }

    @Test(
        "all depths of grey from 4 to 32 bits show the same flower",
        arguments: entries.filter { $0.path.contains("libtiffpic-depth/flower-minisblack") })
    func grayDepths(entry: Corpus.Entry) throws {
        try expectFlower(entry, reference: "flower-minisblack-16.tif")
    }

    @Test(
        "CMYK of 8 and 16 bits, together and in planes, shows the same flower",
        arguments: entries.filter { $0.path.contains("libtiffpic-depth/flower-separated") })
    func inks(entry: Corpus.Entry) throws {
        try expectFlower(entry, reference: "flower-separated-contig-08.tif")
    }

    @Test(
        "files of more than 8 bits keep them on request, and are the same picture",
        arguments: entries.filter { entry in
            entry.expectation == .decodes
                && ["-10", "-12", "-14", "-16", "-24", "-32", "16bit"].contains { entry.path.contains($0) }
        })
    func deep(entry: Corpus.Entry) throws {
        let data = Corpus.data(at: entry.path)
        var options = ImageDecodeOptions.storedPixels
        let narrow = try TIFFCoder().decode(data, options: options).bitmap
        options.pixelFormat = .rgba16Straight
        let deep = try TIFFCoder().decode(data, options: options).bitmap
        #expect(deep.format == .rgba16Straight && deep.size == narrow.size)
        let values = deep.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
        let rounded = values.map { UInt8((UInt32($0) + 128) / 257) }
        #expect(largestDifference(rounded, narrow.bytes) <= 1)
        let isGrayOrRGB = ["minisblack", "miniswhite", "rgb"].contains { entry.path.contains($0) }
        if isGrayOrRGB { #expect(values.contains { $0 % 257 != 0 }) }
    }

    @Test(
        "tiles show the same as strips, also in BigTIFF",
        arguments: [
            ("tiff/bigtiff/BigTIFFLong8Tiles.tif", "tiff/bigtiff/BigTIFFLong8.tif")
        ])
    func tiles(tiled: String, strips: String) throws {
        let pictures = try [tiled, strips].map {
            try TIFFCoder().decode(Corpus.data(at: $0), options: .storedPixels).bitmap
        }
        #expect(pictures[0].size == pictures[1].size && pictures[0].bytes == pictures[1].bytes)
    }

    private func expectFlower(_ entry: Corpus.Entry, reference: String) throws {
        let options = ImageDecodeOptions.storedPixels
        let flower = try TIFFCoder().decode(Corpus.data(at: entry.path), options: options)
        let path = "tiff/libtiffpic-depth/" + reference
        let expected = try TIFFCoder().decode(Corpus.data(at: path), options: options)
        // Samples of few bits are coarse, and were truncated when the files were made.
        let steps: [String: Double] = ["02": 40, "04": 25, "06": 2]
        let tolerance = steps.first { entry.path.hasSuffix("-\($0.key).tif") }?.value ?? 1
        #expect(flower.bitmap.meanDifference(from: expected.bitmap) <= tolerance)
    }

    @Test("TIFF pictures look like their origins' references", arguments: entries.filter { $0.reference != nil })
    func references(entry: Corpus.Entry) throws {
        let image = try TIFFCoder().decode(Corpus.data(at: entry.path), options: .storedPixels)
        guard let distance = try Corpus.distance(of: image, toReferencesOf: entry) else { return }
        #expect(distance <= 1)
    }

    @Test("the tag of the orientation is applied once, and thumbnails are upright too")
    func orientation() throws {
        let upright = try decode("g4_orientation_1.tif")
        for number in [3, 5, 7] {
            let image = try decode("g4_orientation_\(number).tif")
            #expect(image.pixelSize == upright.pixelSize)
            #expect(image.bitmap.meanDifference(from: upright.bitmap) <= 0.7)
            let thumbnail = try decode("g4_orientation_\(number).tif", box: PixelSize(width: 59, height: 59))
            #expect(thumbnail.pixelSize == PixelSize(width: 59, height: 9))
        }
    }

    private func decode(_ name: String, box: PixelSize? = nil) throws -> Image {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = box
        return try TIFFCoder().decode(Corpus.data(at: "orientation/tiff-pillow/" + name), options: options)
    }

    @Test("L*a*b* is converted as by other decoders")
    func lab() throws {
        let image = try TIFFCoder().decode(Corpus.data(at: "tiff/pillow/lab-red.tif"), options: ImageDecodeOptions())
        let pixel = image.bitmap.pixel(5, 5)
        #expect(largestDifference(pixel, [253, 0, 125, 255]) <= 12, "\(pixel)")
    }
}
