import WebImage
import WebImageCommandLine

/// The report of one frame, as JSON or as a line.
struct FrameRecord: Encodable, Sendable {
    private(set) var output: String?
    let index: Int
    private let milliseconds: Double
    private(set) var width: Int?
    private(set) var height: Int?
    private(set) var bytes: Int?
    /// Whether the file existed and is left as it is.
    private(set) var kept: Bool?
    private let frames: Int
    private let loopCount: Int
    var error: ErrorRecord?
    /// The frame's number in words.
    private let title: String

    private enum CodingKeys: CodingKey {
        case output, index, milliseconds, width, height, bytes, kept, frames, loopCount, error
    }

    init(_ frames: PictureFrames, index: Int) {
        self.index = index
        milliseconds = frames.duration(at: index) * 1000
        self.frames = frames.count
        loopCount = frames.loopCount
        title = frames.title(at: index)
    }

    /// - Parameter byteCount: nil where the file existed and is left as it is.
    mutating func take(output: String, byteCount: Int?) {
        self.output = output
        bytes = byteCount
        if byteCount == nil { kept = true }
    }

    mutating func take(_ size: PixelSize) {
        width = size.width
        height = size.height
    }

    /// `frame 3 of 6: the WebP file is damaged: …`; nil where it was written.
    var complaint: String? { error.map { "\(title): \($0.message)" } }

    /// `frames/a-0001.png  100 ms  640×480  20.5 kB`; a still picture and a page have no time.
    var line: String {
        let name = (output ?? "").printable
        guard let bytes else { return "\(name)  kept" }
        let time = milliseconds > 0 ? "\(Quantity.milliseconds(milliseconds))  " : ""
        let size = PixelSize(width: width ?? 0, height: height ?? 0)
        return "\(name)  \(time)\(size)  \(Quantity.bytes(bytes))"
    }
}
