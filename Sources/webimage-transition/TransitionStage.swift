import WebImage
import WebImageGTK

/// A view without a window, with its former and its new content.
@MainActor
final class TransitionStage {
    /// The maximum side in pixels that cairo and all graphics cards can draw.
    nonisolated static let maximumSide = 8192

    private let effect: TransitionEffect
    private let painter: TransitionPainter

    /// - Parameters:
    ///   - size: In points.
    ///   - scale: Pixels per point.
    init(effect: TransitionEffect, size: PointSize, scale: Double, fit: ContentFit, old: Image?, new: Image?) {
        func frame(_ image: Image?) -> PointRect? {
            image.map { fit.frame(of: PointSize($0.pixelSize), in: size) }
        }
        self.effect = effect
        painter = TransitionPainter(
            scene: TransitionScene(
                size: size, scale: scale, oldFrame: frame(old), newFrame: frame(new),
                isOldOpaque: old?.bitmap.isOpaque ?? true, isNewOpaque: new?.bitmap.isOpaque ?? true),
            old: old?.bitmap, new: new?.bitmap)
    }

    /// The view at `progress`.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory for it.
    func frame(at progress: Double) throws(WebImageError) -> Bitmap {
        guard let bitmap = painter.bitmap(of: effect.layers(at: progress, in: painter.scene)) else {
            throw WebImageError(
                .limitExceeded, stage: .encode, kind: .transient,
                reason: "there is no memory for a frame; give a smaller --size or --scale")
        }
        return bitmap
    }

    /// The pixels of a view of `size` points.
    nonisolated static func pixels(of size: PixelSize, scale: Double) -> PixelSize {
        PixelSize(
            width: Int((Double(size.width) * scale).rounded(.up)),
            height: Int((Double(size.height) * scale).rounded(.up)))
    }
}

extension PointSize {
    /// One point per pixel.
    init(_ size: PixelSize) { self.init(width: Double(size.width), height: Double(size.height)) }
}
