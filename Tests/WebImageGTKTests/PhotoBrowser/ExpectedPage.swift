import WebImage

@testable import WebImageGTK

/// A picture over a black ground, drawn by the plainest means.
@MainActor
final class ExpectedPage: PaintableContent {
    let isImmutable = true
    let intrinsicSize = PointSize(width: 0, height: 0)
    private let texture: Texture
    private let ground: Double
    private let paint: (Snapshot, Texture) -> Void

    /// - Parameters:
    ///   - ground: The opacity of the ground.
    ///   - paint: Draws the texture of the picture.
    init(_ image: Image, over ground: Double = 1, paint: @escaping (Snapshot, Texture) -> Void) {
        texture = Texture(image.bitmap)
        self.ground = ground
        self.paint = paint
    }

    func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        let snapshot = Snapshot(pointer: snapshot)
        let black = RGBAColor(red: 0, green: 0, blue: 0, alpha: 255)
        snapshot.faded(to: ground) {
            snapshot.fill(PointRect(x: 0, y: 0, width: width, height: height), from: black, to: black, axis: .vertical)
        }
        paint(snapshot, texture)
    }

    func frozen() -> any PaintableContent { self }
}
