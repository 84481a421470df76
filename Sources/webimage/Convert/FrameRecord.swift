import WebImage
import WebImageCommandLine

/// The report of one frame, as JSON or as a line.
struct FrameRecord: Encodable, Sendable {
    private(set) var output: String?
    let index: Int
    private let milliseconds: Double
    private(set) var width: Int?
    private(set) var height: Int?
    private let frames: Int
    private let loopCount: Int
    var error: ErrorRecord?
    /// The frame's number in words.
    private let title: String

    private enum CodingKeys: CodingKey {
        case output, index, milliseconds, width, height, frames, loopCount, error
    }

    init(_ frames: PictureFrames, index: Int) {
        self.index = index
        milliseconds = frames.duration(at: index) * 1000
        self.frames = frames.count
        loopCount = frames.loopCount
        title = frames.title(at: index)
    }

    mutating func take(_ size: PixelSize, output: String) {
        self.output = output
        width = size.width
        height = size.height
    }

    /// `frame 3 of 6: the WebP file is damaged: …`; nil where it was written.
    var complaint: String? { error.map { "\(title): \($0.message)" } }

    /// `frames/a-0001.png  100 ms  640×480`; a still picture and a page have no time.
    var line: String {
        let time = milliseconds > 0 ? "\(Quantity.milliseconds(milliseconds))  " : ""
        return "\((output ?? "").printable)  \(time)\(PixelSize(width: width ?? 0, height: height ?? 0))"
    }
}
