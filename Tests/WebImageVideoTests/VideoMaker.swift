import Foundation
import Testing
import WebImageCore
import WebImageLoading
import WebImageTestSupport

/// Writes videos of known frames by GStreamer's own programs.
final class VideoMaker {
    static let size = PixelSize(width: 96, height: 64)

    let folder = FileManager.default.temporaryDirectory.appending(path: "video-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A gradient with a square that moves with the frame.
    static func frame(_ index: Int) throws -> Bitmap {
        var pixels: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let isInside = (index * 6..<index * 6 + 24).contains(x) && (20..<44).contains(y)
                pixels += isInside ? [250, 230, 40, 255] : [UInt8(x * 2), UInt8(y * 3), UInt8(200 - x), 255]
            }
        }
        return try Bitmap(size: size, pixels: pixels)
    }

    /// A file with ten frames a second.
    ///
    /// - Parameters:
    ///   - encoder: Elements from raw pictures to a stream.
    ///   - muxer: The container's element, and elements behind a `mux.` for other streams.
    func make(_ encoder: String, _ muxer: String, count: Int = 12) throws -> Data {
        for index in 0..<count {
            let file = folder.appending(path: "\(index).png")
            if !FileManager.default.fileExists(atPath: file.path) {
                try Image(bitmap: Self.frame(index)).write(to: file, as: .png)
            }
        }
        return try record(
            "multifilesrc location=\(folder.path)/%d.png index=0 stop-index=\(count - 1) caps=image/png,framerate=10/1"
                + " ! pngdec ! videoconvert ! \(encoder) ! \(muxer)")
    }

    /// The file that comes out of a pipeline.
    func record(_ pipeline: String) throws -> Data {
        let output = folder.appending(path: "\(UUID().uuidString).video")
        try Self.run("\(pipeline) ! filesink location=\(output.path)")
        return try Data(contentsOf: output)
    }

    static let vp8 = "vp8enc deadline=1 target-bitrate=3000000 keyframe-max-dist=5"
    static let vp9 = "vp9enc deadline=1 target-bitrate=3000000 cpu-used=8"
    static let openH264 = "openh264enc bitrate=4000000 gop-size=5 ! h264parse"
    static let h264 = "video/x-raw,format=I420 ! x264enc bitrate=4000 bframes=2 key-int-max=6 ! h264parse"

    func webM(count: Int = 12) throws -> Data { try make(Self.vp8, "webmmux", count: count) }

    private static func run(_ pipeline: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/gst-launch-1.0")
        process.arguments = ["-q"] + pipeline.split(separator: " ").map(String.init)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "gst-launch-1.0 \(pipeline)")
    }

    /// Whether GStreamer has all of these elements.
    static func has(_ elements: String...) -> Bool {
        elements.allSatisfy { element in
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/gst-inspect-1.0")
            process.arguments = ["--exists", element]
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests that write videos.
    static func needs(_ elements: String...) -> Self {
        .enabled("GStreamer's programs or plugins are missing: \(elements.joined(separator: ", "))") {
            elements.allSatisfy { VideoMaker.has($0) }
        }
    }
}

extension Bitmap {
    /// The peak signal-to-noise ratio in dB.
    func likeness(to other: Bitmap) -> Double { peakSignalToNoise(bytes, other.bytes) }
}
