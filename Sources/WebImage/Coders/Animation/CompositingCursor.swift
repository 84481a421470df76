import Synchronization

/// The frames of a ``FrameSource`` and how they are to be delivered.
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

/// The canvas of one place in an animation: going forward costs one frame, any other way begins at a key frame.
package final class CompositingCursor<Source: FrameSource>: FrameCursor {
    private struct State {
        /// Also nil while nothing was drawn yet, and after a failure.
        var position: Int?
        var canvas: AnimationCanvas?
        var workspace: Source.Workspace?
    }

    // Only whoever took the cursor out of the pool looks into it: nobody ever waits for this lock.
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

    /// The first frame to look at on the way from `position` to `index`.
    static func start(for index: Int, from position: Int?, _ frames: Composition<Source>) -> Int {
        let key = frames.keyFrames[index]
        if let position, position < index, position >= key { return position + 1 }
        return key
    }
}

/// What a cursor does for one frame.
private struct CompositingRun<Source: FrameSource> {
    let composition: Composition<Source>
    let canvas: AnimationCanvas
    let options: ImageDecodeOptions

    /// Brings the canvas from what frame `position` left on it to what is seen at frame `index`.
    func show(_ index: Int, from position: Int?, with workspace: inout Source.Workspace) throws(WebImageError) {
        var start = CompositingCursor<Source>.start(for: index, from: position, composition)
        if let position, start == position + 1 {
            dispose(position)
        } else {
            start = try begin(at: start, before: index, with: &workspace)
        }
        for step in start..<index { _ = try pass(step, with: &workspace) }
        // Whoever asks for a frame after this one, where it fails, begins on a clear canvas.
        try draw(index, leavesNoPart: false, with: &workspace)
    }

    /// Draws the key frame on a clear canvas, or an earlier one where it is damaged: what it was to hide is seen then.
    ///
    /// - Returns: The frame that comes next.
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

    /// A frame that is not shown now and leaves nothing need not be decoded; one that cannot be decoded is left out.
    ///
    /// - Returns: Whether the canvas is what the frame should leave.
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
