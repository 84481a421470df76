import CVideo
import FoundationEssentials
import WebImageCore
import WebImagePixels

/// GStreamer's reading of one file. Belongs to one thread at a time.
final class VideoStream {
    typealias Open = (
        UnsafePointer<UInt8>, Int, UnsafeMutablePointer<webimage_video_message>
    ) throws(WebImageError) -> OpaquePointer?

    /// The milliseconds between two looks at the cancellation.
    private static let patience: Int32 = 10
    /// The looks in a row, ten seconds, without anything new: damaged files make GStreamer wait for ever.
    private static let longestSilence = 1000

    let file: VideoFile
    /// GStreamer reads the file during decoding.
    private let bytes: PixelBuffer
    private let video: OpaquePointer
    private var message = webimage_video_message()

    init(_ file: VideoFile, _ open: Open) throws(WebImageError) {
        guard let bytes = PixelBuffer(copying: file.data) else {
            throw .outOfMemory(for: PixelSize(width: 0, height: 0))
        }
        // It does not count a late start, and GStreamer stops at it: the last frames would be lost.
        if let offset = VideoContainer(file.data, file.format).lengthOfFragments {
            for (index, letter) in "free".utf8.enumerated() { bytes.base[offset + index] = letter }
        }
        self.file = file
        self.bytes = bytes
        guard let video = try open(bytes.base, file.data.count, &message) else {
            throw Self.error(message, file.format, ImageLimits())
        }
        self.video = video
    }

    deinit { webimage_video_close(video) }

    /// Of a scan.
    func header(readsTimes: Bool, _ options: ImageDecodeOptions) throws(WebImageError) -> VideoHeader {
        var (silence, found) = (0, 0)
        while true {
            let status = webimage_video_wait(video, Self.patience, &message)
            try options.checkCancellation()
            if status == WEBIMAGE_VIDEO_FAILED { throw Self.error(message, file.format, options.limits) }
            if status == WEBIMAGE_VIDEO_ENDED || status == WEBIMAGE_VIDEO_READY && !readsTimes { break }
            let count = webimage_video_count(video)
            silence = count > found ? 0 : silence + 1
            found = count
            if silence > Self.longestSilence { throw Self.stuck(file.format) }
        }
        let properties = webimage_video_get_properties(video)
        return VideoHeader(
            format: file.format, size: PixelSize(width: Int(properties.shown_width), height: Int(properties.height)),
            codedSize: PixelSize(width: Int(properties.width), height: Int(properties.height)),
            orientation: ImageOrientation(rawValue: Int(properties.orientation)) ?? .up,
            frames: readsTimes ? times(end: properties.duration) : VideoTimes([0], keys: [], end: -1))
    }

    private func times(end: Int64) -> VideoTimes {
        var times: UnsafePointer<Int64>?
        var areKeys: UnsafePointer<UInt8>?
        let count = webimage_video_get_times(video, &times, &areKeys)
        guard let times, let areKeys else { return VideoTimes([], keys: [], end: end) }
        let all = (0..<count).map { times[$0] }
        return VideoTimes(all, keys: all.indices.filter { areKeys[$0] != 0 }.map { all[$0] }, end: end)
    }

    /// The next frame of a decoder, whose pixels are valid until the next call; nil at the end.
    func next(_ options: ImageDecodeOptions) throws(WebImageError) -> webimage_video_frame? {
        var frame = webimage_video_frame()
        for _ in 0..<Self.longestSilence {
            let status = webimage_video_next(video, Self.patience, &frame, &message)
            try options.checkCancellation()
            switch status {
            case WEBIMAGE_VIDEO_READY: return frame
            case WEBIMAGE_VIDEO_ENDED: return nil
            case WEBIMAGE_VIDEO_FAILED: throw Self.error(message, file.format, options.limits)
            default: continue
            }
        }
        throw Self.stuck(file.format)
    }

    private static func stuck(_ format: ImageFormat) -> WebImageError { .damaged(format, "GStreamer finds no way on") }

    /// Goes on with the key frame of a time; false where the file does not allow that.
    func seek(to time: Int64) -> Bool { webimage_video_seek(video, time) }

    private static func error(
        _ message: webimage_video_message, _ format: ImageFormat, _ limits: ImageLimits
    ) -> WebImageError {
        let text = withUnsafeBytes(of: message.text) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let reason = text.last == "." ? String(text.dropLast()) : text
        switch message.failure {
        case WEBIMAGE_VIDEO_TOO_MANY_FRAMES: return .tooManyFrames(format, limits)
        case WEBIMAGE_VIDEO_NO_PICTURES: return .unsupported(format, "it has no pictures, or sound only")
        case WEBIMAGE_VIDEO_NO_PLUGIN:
            return .unsupported(
                format,
                "GStreamer says: \(reason); install its plugins for it (gstreamer1.0-plugins-good, gstreamer1.0-libav)")
        default: return .damaged(format, "GStreamer says: \(reason)")
        }
    }
}
