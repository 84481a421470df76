import WebImage
import WebImageCommandLine

/// The report of one animation.
struct PlayRecord: Encodable, Sendable {
    var load: LoadRecord
    /// In the file.
    var frames: Int?
    /// Played to the end.
    var loops: Int?
    var statistics: PlaybackStatistics?
    var seconds: Double?

    private enum CodingKeys: CodingKey {
        case frames, loops, shown, late, skipped, decodedFrames, decodeMilliseconds, bufferBytes, seconds
    }

    /// The mean time of decoding a frame.
    private var decodeMilliseconds: Double? {
        guard let statistics, statistics.decodedCount > 0 else { return nil }
        return statistics.decodingTime.milliseconds / Double(statistics.decodedCount)
    }

    func encode(to encoder: any Encoder) throws {
        try load.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(frames, forKey: .frames)
        try container.encodeIfPresent(loops, forKey: .loops)
        try container.encodeIfPresent(statistics?.shownCount, forKey: .shown)
        try container.encodeIfPresent(statistics?.lateCount, forKey: .late)
        try container.encodeIfPresent(statistics?.skippedCount, forKey: .skipped)
        try container.encodeIfPresent(statistics?.decodedCount, forKey: .decodedFrames)
        try container.encodeIfPresent(decodeMilliseconds, forKey: .decodeMilliseconds)
        try container.encodeIfPresent(statistics?.bufferedByteCount, forKey: .bufferBytes)
        try container.encodeIfPresent(seconds, forKey: .seconds)
    }

    /// `24 frames, 3 loops: 72 shown, 1 late, 0 skipped; 0.41 ms to decode a frame; 1.2 MB buffered; 7.2 s`; nil for what
    /// was not played.
    var line: String? {
        guard let statistics, let frames, let loops, let seconds else { return nil }
        let decoding = decodeMilliseconds.map { "\(Quantity.milliseconds($0)) to decode a frame" } ?? "nothing decoded"
        return "\(frames) frames, \(loops) loops: \(statistics.shownCount) shown, \(statistics.lateCount) late, "
            + "\(statistics.skippedCount) skipped; \(decoding); \(Quantity.bytes(statistics.bufferedByteCount)) buffered; "
            + "\(Quantity.milliseconds(seconds * 1000))"
    }
}
