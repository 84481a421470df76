import WebImageCore

/// The fcTL chunk (PNG §11.3.4.2).
struct APNGFrameControl {
    let sequenceNumber: Int
    let description: FrameDescription

    static let byteCount = 26

    /// - Returns: nil for invalid values.
    init?(_ reader: inout ByteReader, hasAlpha: Bool) throws(WebImageError) {
        sequenceNumber = try reader.bigEndian(bytes: 4)
        let size = PixelSize(width: try reader.bigEndian(bytes: 4), height: try reader.bigEndian(bytes: 4))
        var description = FrameDescription(size: size)
        description.left = try reader.bigEndian(bytes: 4)
        description.top = try reader.bigEndian(bytes: 4)
        description.duration = try Self.duration(&reader)
        description.isOpaque = !hasAlpha
        let disposal = try reader.byte()
        let blend = try reader.byte()
        guard !size.isEmpty, disposal <= 2, blend <= 1 else { return nil }
        description.disposal = [.keep, .background, .previous][Int(disposal)]
        description.blend = blend == 0 ? .source : .over
        self.description = description
    }

    /// Whether the frame is within the canvas; for the default image, whether it equals the canvas.
    func fits(_ canvas: PixelSize, isDefaultImage: Bool) -> Bool {
        let size = description.size
        if isDefaultImage { return size == canvas && description.left == 0 && description.top == 0 }
        return description.left + size.width <= canvas.width && description.top + size.height <= canvas.height
    }

    /// In milliseconds, from a fraction of a second, in which a denominator of 0 means 100.
    private static func duration(_ reader: inout ByteReader) throws(WebImageError) -> Int {
        let numerator = try reader.bigEndian(bytes: 2)
        let denominator = try reader.bigEndian(bytes: 2)
        let divisor = denominator == 0 ? 100 : denominator
        return (numerator * 1000 + divisor / 2) / divisor
    }
}
