import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImagePixels
import WebImageTestSupport

extension Corpus {
    /// A frame of an animation, a row of `FRAMES.tsv`.
    struct Frame {
        let milliseconds: Double
        /// SHA-256 of the composed picture at this frame, as straight RGBA.
        let digest: String
    }

    /// The first 200 frames of each animation.
    static let frames: [String: [Frame]] = {
        let rows = (text(of: "FRAMES.tsv") ?? "").split(separator: "\n").dropFirst().map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        let files = Dictionary(grouping: rows.filter { $0.count >= 4 }) { String($0[0]) }
        // In files without durations, pictures without one were merged with the following frames.
        return files.filter { $0.value.allSatisfy { Double($0[2]) != nil } }.mapValues { rows in
            rows.map { Frame(milliseconds: Double($0[2]) ?? 0, digest: String($0[3])) }
        }
    }()

    /// Animations of a format that must decode and have listed frames.
    static func animations(of format: String) -> [Entry] {
        entries(of: format, .decodes).filter { (frames[$0.path]?.count ?? 0) > 1 && !otherFrames.contains($0.path) }
    }

    /// Every frame has the same pixels as in other decoders, in order and by seeking, and the durations of browsers.
    static func checkFrames(_ entry: Entry, by coder: some AnimatedImageCoder) throws {
        let data = data(at: entry.path)
        let animation = try coder.makeAnimation(of: data, options: .storedPixels)
        var expected = try #require(frames[entry.path])
        if expected.count == animation.frameCount + 1, entry.format == "apng" {
            // The list counts a default image that is not part of the animation.
            expected.removeFirst()
        }
        let count = min(expected.count, animation.frameCount)
        for index in 0..<count {
            let frame = expected[index]
            #expect(
                try hasDigest(frame.digest, animation.frame(at: index)), "frame \(index) of \(count)")
            #expect(
                animation.duration(at: index)
                    == FrameDuration.played(fromMilliseconds: Int(frame.milliseconds.rounded())))
        }
        for index in stride(from: count - 1, through: 0, by: -max(1, count / 4)) {
            #expect(
                try hasDigest(expected[index].digest, animation.frame(at: index)),
                "frame \(index) by a leap")
        }
    }

    /// Files in which Pillow, the list's decoder, composes frames differently from the standards and browsers: it
    /// averages alpha, too, where translucent pixels are over opaque ones (the first five), does not restore
    /// consecutive frames with "previous" (the next three), gives transparent pixels the background's colour, and fills
    /// disposed areas with it. They are compared with ``SlowComposition`` instead.
    static let otherFrames: Set = [
        "apng/apngkit/over_background.apng", "apng/apngkit/over_none.apng", "apng/apngkit/over_previous.apng",
        "apng/spec/022.png", "apng/spec/033.png", "apng/apngkit/pia.png", "apng/pillow/iss634.apng",
        "apng/sdwebimage/TestImageAnimated.apng", "gif/kingfisher/dancing-banana.gif", "gif/pillow/dispose_bgnd.gif",
    ]

    /// Every frame follows the specifications' formulas, except for rounding.
    static func checkAgainstSpecification(_ path: String) throws {
        let data = data(at: path)
        let isGIF = path.hasSuffix(".gif")
        let expected = try isGIF ? SlowComposition(gif: data).compose() : SlowComposition(apng: data).compose()
        let coder: any AnimatedImageCoder = isGIF ? GIFCoder() : PNGCoder()
        let animation = try coder.makeAnimation(of: data, options: .storedPixels)
        #expect(animation.frameCount == expected.count)
        for (index, pixels) in expected.enumerated() {
            let seen = try Bitmap(size: animation.frame(at: index).size, format: .rgba8Straight, pixels: pixels)
            let difference = try largestDifference(
                seen.converted(to: .rgba8Premultiplied).bytes,
                animation.frame(at: index).converted(to: .rgba8Premultiplied).bytes)
            #expect(difference <= (isGIF ? 0 : 2), "frame \(index): \(difference)")
        }
    }

    /// Whether a frame has the digest, directly or with transparent pixels cleared, as the list's decoder sometimes
    /// does.
    private static func hasDigest(_ digest: String, _ frame: Bitmap) -> Bool {
        var bytes = frame.bytes
        if Digest.sha256(bytes) == digest { return true }
        for start in stride(from: 0, to: bytes.count, by: 4) where bytes[start + 3] == 0 {
            for channel in 0..<3 { bytes[start + channel] = 0 }
        }
        return Digest.sha256(bytes) == digest
    }

    /// A file that arrives in pieces shows its frames in order, and finally all of them as the complete file.
    static func checkGrowing(_ entry: Entry, by coder: some AnimatedImageCoder & ProgressiveImageCoder) throws {
        let data = data(at: entry.path)
        let whole = try coder.makeAnimation(of: data, options: .storedPixels)
        let decoder = coder.makeProgressiveDecoder(options: .storedPixels)
        var last: Image?
        for start in stride(from: 0, to: data.count, by: max(1, data.count / 40)) {
            let end = min(start + max(1, data.count / 40), data.count)
            guard let image = try decoder.update(data[in: start..<end]) else { continue }
            #expect(image.metadata.isIncremental)
            #expect(image.metadata.frameCount >= last?.metadata.frameCount ?? 0)
            last = image
        }
        let grown = try #require(last?.animation)
        #expect(grown.frameCount == whole.frameCount)
        for index in stride(from: 0, to: whole.frameCount, by: max(1, whole.frameCount / 5)) {
            #expect(try grown.frame(at: index).bytes == whole.frame(at: index).bytes, "frame \(index)")
            #expect(grown.duration(at: index) == whole.duration(at: index))
        }
        #expect(throws: WebImageError.self) { try grown.frame(at: grown.frameCount) }
    }
}
