/// A file whose frames say what differs from the frame before: where they lie, and how each is drawn. Any thread.
package protocol FrameSource: Sendable {
    /// Memory of a cursor that is used again for each frame.
    associatedtype Workspace

    var canvasSize: PixelSize { get }
    /// How the canvas must be turned to be seen upright.
    var orientation: ImageOrientation { get }
    /// The colours of all frames; nil means sRGB.
    var profile: ColorProfile? { get }
    /// In the order of the file, at least one.
    var frames: [FrameDescription] { get }

    func makeWorkspace() -> Workspace

    /// Decodes frame `index` and draws it where it lies.
    ///
    /// - Parameter options: To be asked now and then whether the work is still wanted.
    /// - Throws: What is wrong with the frame, of which a part may have been drawn.
    func draw(
        _ index: Int, on canvas: AnimationCanvas, with workspace: inout Workspace, options: ImageDecodeOptions
    ) throws(WebImageError)
}

extension FrameSource {
    package var orientation: ImageOrientation { .up }
    package var profile: ColorProfile? { nil }

    /// Whether the canvas has no clear pixel at any time.
    var isAlwaysOpaque: Bool {
        guard let first = frames.first, first.covers(canvasSize), first.isOpaque else { return false }
        return frames.allSatisfy { $0.disposal != .background && ($0.isOpaque || $0.blend == .over) }
            && first.disposal != .previous
    }
}
