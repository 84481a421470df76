import Synchronization
import WebImageCore
import WebImagePixels

/// The frames of a ``FrameSource`` and the form of the result.
package struct Composition<Source: FrameSource>: Sendable {
    let source: Source
    let keyFrames: KeyFrames
    let geometry: ThumbnailGeometry
    let isOpaque: Bool

    init(_ source: Source, options: ImageDecodeOptions) {
        self.source = source
        keyFrames = KeyFrames(source.frames, canvas: source.canvasSize)
        geometry = ThumbnailGeometry(
            storedSourceSize: source.canvasSize, orientation: source.orientation, frameCount: source.frames.count,
            options: options)
        isOpaque = source.isAlwaysOpaque
    }
}

/// The canvas at one position of an animation: the next frame costs one decode; any other starts at a key frame.
package final class CompositingCursor<Source: FrameSource>: FrameCursor {
    private struct State {
        /// Nil before the first frame and after a failure.
        var position: Int?
        var canvas: AnimationCanvas?
        var workspace: Source.Workspace?
    }

    // Only the thread that took the cursor from the pool uses it: the lock is never contended.
    private let state = Mutex(State())

    package init() {}

    package func cost(of index: Int, in frames: Composition<Source>) -> Int {
        state.withLock { state in
            if state.position == index { return 0 }
            return index - Self.start(for: index, from: state.position, frames) + 1
        }
    }

    package func bitmap(
        at index: Int, in frames: Composition<Source>, options: ImageDecodeOptions
    ) throws(WebImageError) -> Bitmap {
        try state.withLock { state throws(WebImageError) in
            let canvas: AnimationCanvas
            if let used = state.canvas {
                canvas = used
            } else {
                canvas = try AnimationCanvas(size: frames.source.canvasSize)
            }
            var workspace = state.workspace ?? frames.source.makeWorkspace()
            let position = state.position
            state = State(position: nil, canvas: canvas, workspace: nil)
            let run = CompositingRun(composition: frames, canvas: canvas, options: options)
            if position != index { try run.show(index, from: position, with: &workspace) }
            state.position = index
            state.workspace = workspace
            return try run.makeBitmap()
        }
    }

    /// The first frame to draw on the way from `position` to `index`.
    static func start(for index: Int, from position: Int?, _ frames: Composition<Source>) -> Int {
        let key = frames.keyFrames[index]
        if let position, position < index, position >= key { return position + 1 }
        return key
    }
}

/// The work of a cursor for one frame.
private struct CompositingRun<Source: FrameSource> {
    let composition: Composition<Source>
    let canvas: AnimationCanvas
    let options: ImageDecodeOptions

    /// Changes the canvas from its state after frame `position` to frame `index`.
    func show(_ index: Int, from position: Int?, with workspace: inout Source.Workspace) throws(WebImageError) {
        var start = CompositingCursor<Source>.start(for: index, from: position, composition)
        if let position, start == position + 1 {
            dispose(position)
        } else {
            start = try begin(at: start, before: index, with: &workspace)
        }
        for step in start..<index { _ = try pass(step, with: &workspace) }
        // If this frame fails, the next request starts on a clear canvas, so a partial frame does no harm.
        try draw(index, leavesNoPart: false, with: &workspace)
    }

    /// Draws the key frame on a clear canvas, or an earlier one where the key frame is damaged and so does not hide it.
    ///
    /// - Returns: The index of the next frame.
    private func begin(
        at key: Int, before index: Int, with workspace: inout Source.Workspace
    ) throws(WebImageError) -> Int {
        var key = key
        while true {
            canvas.clear()
            if key == index { return index }
            if try pass(key, with: &workspace) || key == 0 { return key + 1 }
            key = composition.keyFrames[key - 1]
        }
    }

    /// Passes a frame that is not the target: one that leaves nothing on the canvas is not decoded, and one that cannot
    /// be decoded is skipped.
    ///
    /// - Returns: Whether the canvas is in the state after that frame.
    private func pass(_ index: Int, with workspace: inout Source.Workspace) throws(WebImageError) -> Bool {
        let frame = composition.source.frames[index]
        switch frame.disposal {
        case .previous: break
        case .background: canvas.clear(canvas.area(of: frame))
        case .keep:
            do throws(WebImageError) {
                try draw(index, leavesNoPart: true, with: &workspace)
            } catch {
                if error.isCancelled || error.code == .limitExceeded { throw error }
                return false
            }
        }
        return true
    }

    private func draw(
        _ index: Int, leavesNoPart: Bool, with workspace: inout Source.Workspace
    ) throws(WebImageError) {
        try options.checkCancellation()
        let frame = composition.source.frames[index]
        if frame.disposal == .previous { try canvas.save(canvas.area(of: frame)) }
        try composition.source.draw(
            index, on: canvas, leavesNoPart: leavesNoPart, with: &workspace, options: options)
    }

    private func dispose(_ index: Int) {
        let frame = composition.source.frames[index]
        switch frame.disposal {
        case .keep: return
        case .background: canvas.clear(canvas.area(of: frame))
        case .previous: canvas.restore(canvas.area(of: frame))
        }
    }

    func makeBitmap() throws(WebImageError) -> Bitmap {
        var source = PixelSource(size: canvas.size, isOpaque: composition.isOpaque)
        source.colors = options.convertsToSRGB ? composition.source.colors : nil
        let assembler = PixelAssembler(source: source, geometry: composition.geometry, options: options)
        return try assembler.assembleRows { rows throws(WebImageError) in
            for y in 0..<canvas.size.height {
                try rows.withNext { row in row.update(from: canvas.pixel(0, y), count: canvas.bytesPerRow) }
            }
        }
    }
}
