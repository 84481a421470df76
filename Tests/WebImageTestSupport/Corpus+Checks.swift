import FoundationEssentials
import Testing
import WebImageCore

/// Requirements for every coder on the corpus's files of its format.
extension Corpus {
    /// Valid files decode to the size in the manifest and to exactly the pixels that two other decoders agree on;
    /// broken ones are refused; the others may do either, as long as the process survives.
    package static func checkDecoding(_ entry: Entry, by coder: some ImageCoder) {
        let result = Result { () throws(WebImageError) in
            try coder.decode(data(at: entry.path), options: .firstStoredPixels)
        }
        switch (entry.expectation, result) {
        case (.decodes, .success(let image)):
            if !otherPolicies.contains(entry.path) { #expect(image.pixelSize == entry.storedSize) }
            guard entry.digestAgreement >= 2, let digest = entry.pixelDigest else { return }
            #expect(Digest.sha256(comparablePixels(image, entry, coder)) == digest, "the pixels differ")
        case (.decodes, .failure(let error)): Issue.record("a valid file is refused: \(error)")
        case (.rejects, .success): Issue.record("a broken file is accepted")
        case (.limits, .failure(let error)): #expect(error.code == .limitExceeded || error.code == .badImageData)
        default: break
        }
    }

    /// The pixels as the manifest's decoders make them: they cut 16 bits of a PNG to 8, where this library rounds them.
    package static func comparablePixels(_ image: Image, _ entry: Entry, _ coder: some ImageCoder) -> [UInt8] {
        let (data, pixels) = (data(at: entry.path), image.bitmap.bytes)
        guard image.metadata.format == .png, !image.isAnimated,
            (try? coder.properties(of: data, isComplete: true))?.bitsPerChannel == 16
        else { return pixels }
        var options = ImageDecodeOptions.firstStoredPixels
        options.pixelFormat = .rgba16Straight
        guard let deep = try? coder.decode(data, options: options) else { return [] }
        let channels = deep.bitmap.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
        let rounded = channels.map { channel -> UInt8 in UInt8((UInt32(channel) * 255 + 32_767) / 65_535) }
        #expect(pixels == rounded, "the pixels are not rounded")
        return channels.map { UInt8($0 >> 8) }
    }

    /// The header is read as in the manifest, from the whole file and progressively from its beginning.
    package static func checkProperties(_ entry: Entry, by coder: some ImageCoder) throws {
        let data = data(at: entry.path)
        let properties = try #require(try coder.properties(of: data, isComplete: true))
        if !otherPolicies.contains(entry.path) {
            let orientation = ImageOrientation(rawValue: entry.orientation ?? 1) ?? .up
            #expect(properties.pixelSize == entry.size.map(orientation.apply))
            #expect(properties.orientation == orientation)
        }
        checkAnimation(entry, properties)
        for count in [0, 1, 7, 12, 20, 33, 100, 1000, data.count / 2] where count < data.count {
            if let early = try coder.properties(of: data.prefix(count), isComplete: false) {
                #expect(early == properties, "after \(count) bytes")
            }
        }
    }

    private static func checkAnimation(_ entry: Entry, _ properties: ImageProperties) {
        var durations = frameDurations[entry.path]?.map { Duration.milliseconds(Int($0.rounded())) } ?? []
        var frameCount = entry.frameCount ?? 1
        if entry.format == "apng", durations.first == .zero, properties.frameDurations.first != .zero {
            // The manifest counts a default image that is not part of the animation; by the standard it is not a frame.
            durations.removeFirst()
            frameCount -= 1
        }
        #expect(properties.frameCount == frameCount)
        guard frameCount > 1 else { return }
        if let loopCount = entry.loopCount {
            // The manifest has the number in the file, which for GIF is that of repetitions.
            let isRepeated = entry.format == "gif" && loopCount > 0
            #expect(properties.loopCount == (isRepeated ? loopCount + 1 : loopCount))
        }
        #expect(properties.frameDurations.count == frameCount)
        // The list of frames ends after two hundred.
        #expect(properties.frameDurations.prefix(durations.count).elementsEqual(durations))
    }

    /// Files on which the manifest's decoders intentionally differ from this library: a frame outside of the logical
    /// screen enlarges it (here it is clipped, as in the file's own suite), an orientation is read from XMP.
    private static let otherPolicies: Set = [
        "gif/pygif/image-outside-bg.gif", "png/pillow/xmp_tags_orientation.png",
    ]

    /// The milliseconds of each animation's frames.
    private static let frameDurations: [String: [Double]] = {
        let rows = (text(of: "FRAMES.tsv") ?? "").split(separator: "\n").dropFirst().map { $0.split(separator: "\t") }
        let rowsOfFiles: [String: [[Substring]]] = Dictionary(grouping: rows.filter { $0.count >= 3 }) { String($0[0]) }
        return rowsOfFiles.mapValues { rows -> [Double] in rows.map { Double($0[2]) ?? 0 } }
    }()
}

extension Corpus.Entry {
    /// The stored width and height.
    package var size: PixelSize? {
        guard let width, let height else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// The same where the manifest has the upright size: TIFF decoders rotate the pixels themselves.
    var storedSize: PixelSize? {
        let isTurned = format.hasSuffix("tiff")
        return size.map { isTurned ? (ImageOrientation(rawValue: orientation ?? 1) ?? .up).apply(to: $0) : $0 }
    }
}

extension ImageDecodeOptions {
    /// The picture that the manifest's digests are for: the first of the file, for an animated PNG its default image.
    fileprivate static var firstStoredPixels: ImageDecodeOptions {
        var options = storedPixels
        options.decodesFirstFrameOnly = true
        return options
    }
}
