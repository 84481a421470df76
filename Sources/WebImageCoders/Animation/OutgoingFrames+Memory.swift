import WebImageCore

extension OutgoingFrames {
    /// The bytes that the encoder of an animation may take in addition to the source's canvas and two frames, whatever
    /// the format.
    private static let encoderByteCount = 256 << 20

    /// Refuses an animation before its encoder takes too much memory: a file of some hundred bytes may have frames of
    /// any size. The memory of a still picture is bounded by its own size.
    ///
    /// - Parameters:
    ///   - byteCount: What the encoder takes for frames of a size, with its copies of their pixels.
    ///   - advice: What else could be written.
    /// - Throws: ``WebImageError/Code/encodeFailed``.
    package func checkMemory(
        _ format: ImageFormat, advice: String = "write the first frame only",
        _ byteCount: (PixelSize) -> Int
    ) throws(WebImageError) {
        guard count > 1 else { return }
        let size = frameSize
        let bytes = byteCount(size)
        guard bytes > Self.encoderByteCount else { return }
        throw .notEncoded(
            format,
            "an animation of \(size) pixels takes about \(bytes >> 20) MB to encode, and \(Self.encoderByteCount >> 20) MB"
                + " are allowed; make it smaller (ImageEncodeOptions.maxPixelSize), or \(advice)")
    }

    /// Whether the encoder of an animation may take `byteCount` bytes.
    package static func allows(_ byteCount: Int) -> Bool { byteCount <= encoderByteCount }
}
