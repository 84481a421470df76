import WebImageCore

/// For each frame of an animation, the frame to start composing from: the last one up to it that depends on no other.
package struct KeyFrames: Sendable {
    /// For each frame the last one up to it that starts on a clear canvas or hides the canvas.
    private var starts: [Int] = []
    private var isClearBefore: [Bool] = []

    init(_ frames: [FrameDescription], canvas: PixelSize) {
        starts.reserveCapacity(frames.count)
        for (index, frame) in frames.enumerated() {
            let isClear = index == 0 || leavesClear(index - 1, frames[index - 1], canvas)
            // A frame that is restored afterwards needs the canvas before it.
            let isKey = isClear || (frame.hidesCanvas(of: canvas) && frame.disposal != .previous)
            isClearBefore.append(isClear)
            starts.append(isKey ? index : starts[index - 1])
        }
    }

    /// The frame to start with, on a clear canvas, to show frame `index`.
    subscript(index: Int) -> Int { starts[index] }

    private func leavesClear(_ index: Int, _ frame: FrameDescription, _ canvas: PixelSize) -> Bool {
        switch frame.disposal {
        case .keep: false
        case .background: isClearBefore[index] || frame.covers(canvas)
        case .previous: isClearBefore[index]
        }
    }
}
