import CGtk4
import WebImage
import WebImageTestLoads
import WebImageTestSupport

@testable import WebImageGTK

/// Two pictures in a view, and a painter's drawing of them: by cairo, by OpenGL, and as expected.
@MainActor
struct PaintedScene {
    let scene: TransitionScene
    let painter: TransitionPainter
    /// The two pictures.
    let (old, new): (Bitmap, Bitmap)
    private let reference: ReferencePainter
    private let pixels: PixelSize

    /// - Parameters:
    ///   - alpha: 1 for opaque pictures.
    ///   - margin: The margin above and below the new picture, in points.
    ///   - renderer: The renderer that the painter assumes.
    init(
        _ size: PointSize, scale: Double, alpha: Double, margin: Double, renderer: WindowRenderer = .hardware
    ) throws(WebImageError) {
        let pixels = PixelSize(width: Int(size.width * scale), height: Int(size.height * scale))
        let old = try SamplePicture.make(0, width: pixels.width, height: pixels.height, alpha: alpha)
        let new = try SamplePicture.make(
            1, width: pixels.width, height: pixels.height - Int(2 * margin * scale), alpha: alpha)
        self.init(
            TransitionScene(
                size: size, scale: scale, oldFrame: PointRect(x: 0, y: 0, size: size),
                newFrame: PointRect(x: 0, y: margin, width: size.width, height: size.height - 2 * margin),
                isOldOpaque: old.isOpaque, isNewOpaque: new.isOpaque),
            old: old, new: new, renderer: renderer)
    }

    /// Two pictures in the frames of the scene.
    init(_ scene: TransitionScene, old: Bitmap, new: Bitmap, renderer: WindowRenderer = .hardware) {
        self.scene = scene
        (self.old, self.new) = (old, new)
        pixels = PixelSize(
            width: Int((scene.size.width * scene.scale).rounded(.up)),
            height: Int((scene.size.height * scene.scale).rounded(.up)))
        painter = TransitionPainter(
            scene: scene, old: TransitionPicture(old), new: TransitionPicture(new), renderer: renderer)
        reference = ReferencePainter(
            scene: scene, old: Pixels(old), new: Pixels(new), blurredNew: Self.blurred(new).map { Pixels($0) })
    }

    func expected(_ layers: [TransitionLayer]) -> Pixels { reference.paint(layers) }

    /// Calls `body` with the layers of each effect at each step, and the expected pixels.
    func forEachFrame(
        at steps: [Double],
        _ body: (_ effect: TransitionEffect, _ name: String, [TransitionLayer], _ expected: Pixels) throws -> Void
    ) rethrows {
        for effect in TransitionEffect.all {
            for step in steps {
                let layers = effect.layers(at: step, in: scene)
                try body(effect, "\(effect.name) at \(step)", layers, expected(layers))
            }
        }
    }

    func byCairo(_ layers: [TransitionLayer]) -> Pixels {
        Pixels.drawnByCairo(pixels, scale: scene.scale) { painter.paint(layers, into: $0) }
    }

    /// nil without OpenGL.
    func byOpenGL(_ layers: [TransitionLayer]) -> Pixels? {
        OffscreenRenderer.openGL?.draw(pixels, scale: scene.scale) { painter.paint(layers, into: $0) }
    }

    private static func blurred(_ bitmap: Bitmap) -> Bitmap? {
        let factor = 24 / Double(max(bitmap.size.width, bitmap.size.height))
        let size = PointSize(
            width: (Double(bitmap.size.width) * factor).rounded(),
            height: (Double(bitmap.size.height) * factor).rounded())
        return Image(bitmap: bitmap).resized(to: size, scaleMode: .fill)?.bitmap
    }
}
