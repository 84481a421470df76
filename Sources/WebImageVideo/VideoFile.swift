import CVideo
import FoundationEssentials
import WebImageCore

/// The bytes of a video. Any thread.
struct VideoFile: Sendable {
    let data: Data
    let format: ImageFormat

    /// - Throws: ``WebImageError/Code/truncatedImageData`` where the container goes on behind the end of the bytes.
    init(_ data: Data, _ options: ImageDecodeOptions) throws(WebImageError) {
        self.data = data
        format = ImageFormat(sniffing: data)
        try options.checkCancellation()
        guard try VideoContainer(data, format).isWhole() else { throw .truncated(format) }
    }

    /// The properties of the video, read by GStreamer; pixels are not decoded.
    ///
    /// - Parameter readsTimes: Whether the times of all frames are read, and not only those before the size is known.
    func header(readsTimes: Bool, _ options: ImageDecodeOptions) throws(WebImageError) -> VideoHeader {
        // A scan for the size alone goes on until it is closed.
        let limit = readsTimes ? max(1, options.limits.maximumFrameCount) : .max
        let scan = try VideoStream(self) { bytes, count, message in
            webimage_video_scan(bytes, count, limit, message)
        }
        let header = try scan.header(readsTimes: readsTimes, options)
        try options.limits.check(format, source: header.size, held: header.size)
        return header
    }
}
