import WebImageCore
import WebImagePixels

/// A file whose frames contain differences from the frame before: their places, and how to draw them. Any thread.
package protocol FrameSource: Sendable {
    /// A cursor's memory that is reused for each frame.
    associatedtype Workspace

    var canvasSize: PixelSize { get }
    /// The orientation of the canvas.
    var orientation: ImageOrientation { get }
    /// The colours of all frames; nil for sRGB.
    var colors: SourceColors? { get }
    /// In the order of the file, at least one.
    var frames: [FrameDescription] { get }

    func makeWorkspace() -> Workspace

    /// Decodes frame `index` and draws it at its place.
    ///
    /// - Parameters:
    ///   - leavesNoPart: Whether a damaged frame must leave the canvas unchanged, because later frames are drawn on it.
    ///   - options: Checked for cancellation during the work.
    /// - Throws: The error of the frame.
    func draw(
        _ index: Int, on canvas: AnimationCanvas, leavesNoPart: Bool, with workspace: inout Workspace,
        options: ImageDecodeOptions
    ) throws(WebImageError)
}

extension FrameSource {
    package var orientation: ImageOrientation { .up }
    package var colors: SourceColors? { nil }

    /// Whether the canvas never has a transparent pixel.
    var isAlwaysOpaque: Bool {
        guard let first = frames.first, first.covers(canvasSize), first.isOpaque else { return false }
        return frames.allSatisfy { $0.disposal != .background && ($0.isOpaque || $0.blend == .over) }
            && first.disposal != .previous
    }
}
