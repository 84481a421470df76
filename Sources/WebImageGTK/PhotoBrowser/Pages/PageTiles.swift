import CGtk4
import WebImage

/// The sharp parts of a picture that is too large to be decoded as a whole, over its base.
final class PageTiles {
    func draw(into snapshot: Snapshot, _ page: PhotoPage, visible: PointRect) {}
}
