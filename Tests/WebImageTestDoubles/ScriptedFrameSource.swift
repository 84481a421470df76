import Synchronization
import WebImageCoders
import WebImageCore

/// Frames of one colour each, with a count of their draws.
struct ScriptedFrameSource: FrameSource {
    /// The counters that several threads share, and a hook for each draw.
    final class Journal: Sendable {
        private let drawn = Mutex<[Int]>([])
        private let hook: (@Sendable (Int) -> Void)?

        init(whenDrawn hook: (@Sendable (Int) -> Void)? = nil) { self.hook = hook }

        /// The frames that were drawn, in order, since the last call.
        func take() -> [Int] {
            drawn.withLock { drawn in
                defer { drawn = [] }
                return drawn
            }
        }

        fileprivate func note(_ index: Int) {
            drawn.withLock { $0.append(index) }
            hook?(index)
        }
    }

    let canvasSize: PixelSize
    var frames: [FrameDescription]
    /// Straight red, green, blue, alpha of each frame.
    var colors: [[UInt8]]
    /// Frames that cannot be decoded.
    var damaged: Set<Int> = []
    let journal: Journal

    func makeWorkspace() {}

    func draw(
        _ index: Int, on canvas: AnimationCanvas, leavesNoPart: Bool, with workspace: inout Void,
        options: ImageDecodeOptions
    ) throws(WebImageError) {
        journal.note(index)
        let isDamaged = damaged.contains(index)
        if isDamaged, leavesNoPart { throw .damaged(.gif, "frame \(index) is scripted so") }
        let area = canvas.area(of: frames[index])
        for y in area.rows {
            for x in area.columns {
                let pixel = canvas.pixel(x, y)
                guard colors[index][3] > 0 || frames[index].blend == .source else { continue }
                for channel in 0..<4 { pixel[channel] = colors[index][channel] }
            }
        }
        // The whole frame was drawn before the error was detected.
        if isDamaged { throw .damaged(.gif, "frame \(index) is scripted so") }
    }
}

extension ScriptedFrameSource {
    /// `count` frames of the canvas's size, each opaque; it hides the one before only where `hides` says so.
    static func plain(_ count: Int, journal: Journal = Journal()) -> ScriptedFrameSource {
        var frame = FrameDescription(size: PixelSize(width: 1, height: 1))
        frame.duration = 50
        var source = ScriptedFrameSource(
            canvasSize: PixelSize(width: 4, height: 4), frames: [], colors: [], journal: journal)
        for index in 0..<count {
            frame.left = index % 4
            frame.top = index / 4 % 4
            source.frames.append(frame)
            source.colors.append([UInt8(index + 1), 0, 0, 255])
        }
        return source
    }

    func makeAnimation(_ options: ImageDecodeOptions = .storedPixels) throws -> CompositedAnimation<Self> {
        try CompositedAnimation(self, loopCount: 0, data: nil, options: options)
    }
}
