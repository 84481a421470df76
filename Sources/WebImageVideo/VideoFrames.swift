import CVideo
import WebImageCoders
import WebImageCore
import WebImagePixels

/// The frames of a video, decoded in order. Belongs to one thread at a time.
final class VideoFrames: WholeFrameDecoder {
    /// Codecs keep up to 16 frames of one and a half bytes a pixel; some more wait between GStreamer's elements.
    static let bytesPerPixel = 40

    private let header: VideoHeader
    private let geometry: ThumbnailGeometry
    private let file: VideoFile
    private var stream: VideoStream
    /// The frame to return next.
    private var next = 0
    /// A frame whose time has not come.
    private var pending: webimage_video_frame?
    /// The frame before the next one.
    private var shown: Bitmap?

    init(_ file: VideoFile, _ header: VideoHeader, _ geometry: ThumbnailGeometry) throws(WebImageError) {
        self.file = file
        self.header = header
        self.geometry = geometry
        stream = try Self.open(file, header)
    }

    private static func open(_ file: VideoFile, _ header: VideoHeader) throws(WebImageError) -> VideoStream {
        var properties = webimage_video_properties()
        (properties.width, properties.height) = (UInt32(header.codedSize.width), UInt32(header.codedSize.height))
        properties.shown_width = UInt32(header.size.width)
        properties.is_full_range = VideoContainer(file.data, file.format).isFullRange
        return try VideoStream(file) { bytes, count, message in
            webimage_video_decode(bytes, count, &properties, message)
        }
    }

    func nextFrame(options: ImageDecodeOptions) throws(WebImageError) -> Bitmap {
        let starts = header.frames.starts
        let time = starts.indices.contains(next) ? starts[next] : 0
        let bitmap = try bitmap(at: time, options)
        next += 1
        shown = bitmap
        return bitmap
    }

    /// The frame that is seen at a time: packets without a picture, which some encoders write, show the one before.
    private func bitmap(at time: Int64, _ options: ImageDecodeOptions) throws(WebImageError) -> Bitmap {
        while true {
            let frame: webimage_video_frame
            if let pending {
                frame = pending
            } else if let next = try stream.next(options) {
                frame = next
            } else if let shown {
                return shown
            } else {
                throw .damaged(file.format, "GStreamer finds no picture of frame \(next)")
            }
            pending = nil
            guard frame.time != -1 else { return try makeBitmap(frame, options) }
            if frame.time < time - VideoTimes.tolerance { continue }
            if frame.time > time + VideoTimes.tolerance {
                pending = frame
                if let shown { return shown }
            }
            return try makeBitmap(frame, options)
        }
    }

    func seek(to index: Int) throws(WebImageError) -> Int {
        defer { next = index }
        if header.frames.areInOneGroup(next, index) { return index }
        pending = nil
        shown = nil
        let starts = header.frames.starts
        if index == 0 || !starts.indices.contains(index) || !stream.seek(to: starts[index]) {
            // From the start, which every file allows.
            stream = try Self.open(file, header)
        }
        return index
    }

    private func makeBitmap(
        _ frame: webimage_video_frame, _ options: ImageDecodeOptions
    ) throws(WebImageError) -> Bitmap {
        let size = PixelSize(width: Int(frame.width), height: Int(frame.height))
        guard size == header.size, let pixels = frame.pixels else {
            throw .damaged(file.format, "a frame is of another size than the video")
        }
        let source = PixelSource(size: size, isOpaque: !frame.has_alpha)
        let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        return try assembler.assembleRows { rows throws(WebImageError) in
            for y in 0..<size.height {
                try rows.withNext { row in
                    row.update(from: pixels + y * Int(frame.bytes_per_row), count: size.width * 4)
                }
            }
        }
    }
}
