import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("JPEG files of the corpus", .needsCorpus)
struct JPEGCorpusTests {
    private static let coder = JPEGCoder()

    private static func decode(_ path: String, thumbnail: PixelSize? = nil) throws -> Image {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = thumbnail
        return try coder.decode(Corpus.data(at: path), options: options)
    }

    @Test("JPEG files decode to the pixels of other decoders, or fail cleanly", arguments: Corpus.entries(of: "jpeg"))
    func decoding(entry: Corpus.Entry) {
        Corpus.checkDecoding(entry, by: Self.coder)
    }

    // The first picture of a multi-picture file is decoded; the others are not frames of an animation.
    @Test(
        "JPEG headers are read correctly",
        arguments: Corpus.entries(of: "jpeg", .decodes).filter { $0.category != "jpeg-mpo" })
    func properties(entry: Corpus.Entry) throws {
        try Corpus.checkProperties(entry, by: Self.coder)
    }

    @Test(
        "THB-5 A62 a thumbnail is as good as the whole picture made small by the exact filter",
        arguments: Corpus.entries(of: "jpeg", .decodes).filter { Self.isSmallPhoto($0) })
    func thumbnails(entry: Corpus.Entry) throws {
        var options = ImageDecodeOptions()
        // Some of the profiles swap colours, and the mean of swapped colours is another one.
        options.convertsToSRGB = false
        let whole = try Self.coder.decode(Corpus.data(at: entry.path), options: options).bitmap
        options.thumbnailPixelSize = PixelSize(width: whole.size.width / 3, height: whole.size.height / 3)
        let thumbnail = try Self.coder.decode(Corpus.data(at: entry.path), options: options).bitmap
        let reference = try Bitmap.assembled(
            whole.bytes, size: whole.size, isOpaque: true, options: options)
        #expect(thumbnail.size == reference.size)
        #expect(peakSignalToNoise(thumbnail.bytes, reference.bytes) >= 26)
    }

    private static func isSmallPhoto(_ entry: Corpus.Entry) -> Bool {
        guard let size = entry.size else { return false }
        return min(size.width, size.height) >= 64 && size.area <= 300_000
    }

    @Test(
        "S0-5 a picture in pieces ends as the whole picture, at full size and as a thumbnail",
        arguments: Corpus.entries(of: "jpeg", .decodes).filter { Self.isSmall($0) }, [100, 5000])
    func progressive(entry: Corpus.Entry, chunkSize: Int) throws {
        let data = Corpus.data(at: entry.path)
        for box in [nil, PixelSize(width: 60, height: 50)] {
            var options = ImageDecodeOptions()
            options.thumbnailPixelSize = box
            let whole = try Self.coder.decode(data, options: options).bitmap
            let last = try ProgressiveJPEGTests.partials(of: data, chunkSize: chunkSize, options: options).last
            // An incremental decoder cannot know that no more bytes will come, and cannot suspend in arithmetic code.
            guard hasEndMarker(data), !isArithmetic(data) else { continue }
            #expect(last?.bitmap.bytes == whole.bytes)
        }
    }

    @Test(
        "broken files in pieces fail or show a part",
        arguments: Corpus.entries(of: "jpeg").filter { $0.expectation != .decodes && Self.isSmall($0) }, [100, 5000])
    func progressiveDamage(entry: Corpus.Entry, chunkSize: Int) {
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 1 << 22
        options.limits.maximumSourcePixelCount = 1 << 22
        for box in [nil, PixelSize(width: 60, height: 50)] {
            options.thumbnailPixelSize = box
            do throws(WebImageError) {
                let data = Corpus.data(at: entry.path)
                let partials = try ProgressiveJPEGTests.partials(of: data, chunkSize: chunkSize, options: options)
                #expect(Set(partials.map(\.pixelSize)).count <= 1)
            } catch {
                #expect([.badImageData, .truncatedImageData, .limitExceeded].contains(error.code))
            }
        }
    }

    private static func isSmall(_ entry: Corpus.Entry) -> Bool { (entry.size?.area ?? 0) <= 300_000 }

    private func hasEndMarker(_ data: Data) -> Bool { data.lastRange(of: [0xFF, 0xD9]) != nil }

    private func isArithmetic(_ data: Data) -> Bool {
        [0xC9, 0xCA].contains { data.firstRange(of: [0xFF, UInt8($0), 0x00, 0x11]) != nil }
    }

    @Test(
        "all members of a set that differ in orientation look like the upright one",
        arguments: zip(
            ["orientation/recurser/Landscape_", "orientation/coil/", "orientation/pillow/hopper_orientation_"],
            ["orientation/recurser/Landscape_1.jpg", "orientation/coil/1.jpg", "orientation/pillow/hopper.jpg"]))
    func orientations(prefix: String, upright: String) throws {
        let box = PixelSize(width: 400, height: 300)
        let members = Corpus.entries(of: "jpeg").filter { $0.path.hasPrefix(prefix) && ($0.orientation ?? 1) > 1 }
        #expect(members.count == 7)
        let expected = try Self.decode(upright)
        let expectedThumbnail = try Self.decode(upright, thumbnail: box)
        for member in members {
            #expect(try Self.decode(member.path).bitmap.meanDifference(from: expected.bitmap) < 5, "\(member)")
            let thumbnail = try Self.decode(member.path, thumbnail: box)
            #expect(thumbnail.bitmap.meanDifference(from: expectedThumbnail.bitmap) < 5, "\(member)")
        }
    }

    @Test("a profile that exchanges channels is applied: the XYB picture looks natural")
    func exchangedChannels() throws {
        // Its stored channels are X, Y and B − Y; with its profile, it shows a plain blue sky over a dark hill.
        let stored = try Self.coder.decode(Corpus.data(at: "icc/libvips/sample-xyb.jpg"), options: .storedPixels)
        let seen = try Self.decode("icc/libvips/sample-xyb.jpg")
        #expect(seen.bitmap.meanDifference(from: stored.bitmap) > 10)
    }

    @Test("the pixels of libjpeg-turbo's own test picture equal those of djpeg, also at a box of just its scale")
    func djpeg() throws {
        let table = try #require(Corpus.text(of: "jpeg/libjpeg-turbo/djpeg-md5.tsv"))
        let rows = table.split(separator: "\n").map { $0.split(separator: "\t") }.filter { $0.count == 4 }
        let data = Corpus.data(at: "jpeg/libjpeg-turbo/testorig.jpg")
        var checked = 0
        for row in rows where row[0] == "testorig.jpg" {
            let sides = row[2].split(separator: "x").compactMap { Int($0) }
            let size = PixelSize(width: sides[0], height: sides[1])
            // Pictures are never enlarged.
            guard size.width <= 227 else { continue }
            var options = ImageDecodeOptions.storedPixels
            options.thumbnailPixelSize = size
            options.preservesAspectRatio = false
            let bitmap = try Self.coder.decode(data, options: options).bitmap
            #expect(bitmap.size == size)
            var file = Array("P6\n\(size.width) \(size.height)\n255\n".utf8)
            for (index, byte) in bitmap.bytes.enumerated() where index % 4 < 3 { file.append(byte) }
            #expect(Digest.md5(file) == String(row[3]), "\(row[1])")
            checked += 1
        }
        #expect(checked == 8)
    }
}
