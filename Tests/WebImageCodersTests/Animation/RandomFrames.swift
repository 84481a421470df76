import WebImageCore
import WebImageTesting

@testable import WebImageCoders
@testable import WebImageTestDoubles

/// Animations of random frames, and a literal computation of their pixels.
enum RandomFrames {
    static func make(_ generator: inout SeededGenerator) -> ScriptedFrameSource {
        let canvas = PixelSize(width: 5, height: 4)
        var source = ScriptedFrameSource(canvasSize: canvas, frames: [], colors: [], journal: .init())
        for index in 0..<Int.random(in: 2...12, using: &generator) {
            let isWhole = Int.random(in: 0..<4, using: &generator) == 0
            var frame = FrameDescription(
                size: isWhole
                    ? canvas
                    : PixelSize(
                        width: .random(in: 1...5, using: &generator), height: .random(in: 1...4, using: &generator)))
            if !isWhole {
                frame.left = .random(in: 0...5, using: &generator)
                frame.top = .random(in: 0...4, using: &generator)
            }
            frame.disposal = [.keep, .keep, .background, .previous].randomElement(using: &generator) ?? .keep
            frame.blend = [.source, .over].randomElement(using: &generator) ?? .over
            let isClear = Int.random(in: 0..<4, using: &generator) == 0
            frame.isOpaque = !isClear
            source.frames.append(frame)
            source.colors.append(isClear ? [0, 0, 0, 0] : [UInt8(index + 1), 7, 9, 255])
        }
        return source
    }

    /// The straight pixels of all frames: each is drawn, on copies of whole canvases.
    static func compose(_ source: ScriptedFrameSource) -> [[UInt8]] {
        var canvas = [UInt8](repeating: 0, count: source.canvasSize.area * 4)
        return source.frames.indices.map { index in
            let frame = source.frames[index]
            let before = canvas
            if source.colors[index][3] > 0 || frame.blend == .source {
                fill(&canvas, frame, source, source.colors[index])
            }
            let seen = canvas
            switch frame.disposal {
            case .keep: break
            case .background: fill(&canvas, frame, source, [0, 0, 0, 0])
            case .previous: canvas = before
            }
            return seen
        }
    }

    private static func fill(
        _ canvas: inout [UInt8], _ frame: FrameDescription, _ source: ScriptedFrameSource, _ color: [UInt8]
    ) {
        for y in frame.top..<frame.top + frame.size.height where y < source.canvasSize.height {
            for x in frame.left..<frame.left + frame.size.width where x < source.canvasSize.width {
                let start = (y * source.canvasSize.width + x) * 4
                canvas.replaceSubrange(start..<start + 4, with: color)
            }
        }
    }
}
