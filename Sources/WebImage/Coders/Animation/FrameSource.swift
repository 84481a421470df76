/// A file whose frames say what differs from the frame before: where they lie, and how each is drawn. Any thread.
package protocol FrameSource: Sendable {
    /// Memory of a cursor that is used again for each frame.
    associatedtype Workspace

    var canvasSize: PixelSize { get }
    /// How the canvas must be turned to be seen upright.
    var orientation: ImageOrientation { get }
    /// What the numbers of all frames mean; nil for sRGB.
    var colors: SourceColors? { get }
    /// In the order of the file, at least one.
    var frames: [FrameDescription] { get }

    func makeWorkspace() -> Workspace

    /// Decodes frame `index` and draws it where it lies.
    ///
    /// - Parameters:
    ///   - leavesNoPart: Whether a frame that turns out to be damaged must not have changed the canvas, which the frames
    ///     after it are drawn on.
    ///   - options: To be asked now and then whether the work is still wanted.
    /// - Throws: What is wrong with the frame.
    func draw(
        _ index: Int, on canvas: AnimationCanvas, leavesNoPart: Bool, with workspace: inout Workspace,
        options: ImageDecodeOptions
    ) throws(WebImageError)
}

extension FrameSource {
    package var orientation: ImageOrientation { .up }
    package var colors: SourceColors? { nil }

    /// Whether the canvas has no clear pixel at any time.
    var isAlwaysOpaque: Bool {
        guard let first = frames.first, first.covers(canvasSize), first.isOpaque else { return false }
        return frames.allSatisfy { $0.disposal != .background && ($0.isOpaque || $0.blend == .over) }
            && first.disposal != .previous
    }
}
