import FoundationEssentials
import WebImage

/// A camera pan over a photograph, as animations of the web have it: 480 × 270, twenty frames per second.
struct SampleFilm {
    static let size = PixelSize(width: 480, height: 270)
    static let frameCount = 30
    static let duration = Duration.milliseconds(50)

    private let folder = TemporaryDirectory()
    private let frames: [ImageFrame]

    /// - Parameter duration: The duration of each frame.
    init(duration: Duration = Self.duration) throws {
        let photo = try SamplePhoto(size: PixelSize(width: 640, height: 360)).bitmap()
        frames = try (0..<Self.frameCount).map { index in
            // There and back, so that it ends where it begins.
            let place = min(index, Self.frameCount - index) * 5
            return ImageFrame(bitmap: try photo.part(left: place, top: place, size: Self.size), duration: duration)
        }
    }

    /// Writes it, and returns the file's path.
    func write(_ format: ImageFormat) throws -> String {
        let path = "\(folder.path)/film.\(format.fileExtension ?? "")"
        let coders = ImageCodersManager.shared
        try coders.encode(frames, loopCount: 0, to: format, options: ImageEncodeOptions()).write(
            to: URL(filePath: path))
        return path
    }

    /// Runs `webimage-frames` with these arguments and the film's files, which exist only meanwhile.
    func measure(_ arguments: String, _ paths: String..., renderer: Renderer = .cairo) throws -> [Double] {
        try withExtendedLifetime(folder) {
            try FrameProgram.run(([arguments] + paths).joined(separator: " "), renderer: renderer)
        }
    }

    /// Writes it as WebM, encoded by GStreamer, and returns the file's path.
    func writeVideo() throws -> String {
        for (index, frame) in frames.enumerated() {
            let file = try ImageCodersManager.shared.encode(
                Image(bitmap: frame.bitmap), to: .png, options: ImageEncodeOptions())
            try file.write(to: URL(filePath: "\(folder.path)/\(index).png"))
        }
        let path = folder.path + "/film.webm"
        let pipeline = """
            multifilesrc location=\(folder.path)/%d.png caps=image/png,framerate=20/1 ! pngdec ! videoconvert \
            ! video/x-raw,format=I420 ! vp8enc target-bitrate=2000000 deadline=1 ! webmmux ! filesink location=\(path)
            """
        try Child.run("sh", ["-c", "gst-launch-1.0 -q \(pipeline)"])
        return path
    }
}
