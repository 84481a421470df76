import WebImage

/// Draws what a browser shows: the ground, the pages in view, and a picture in flight. One paintable draws all, so that a
/// turn, a zoom or a flight needs no layout of widgets.
final class PagesContent: PaintableContent {
    /// The pages that are drawn.
    weak var pages: BrowserPages?
    private static let ground = RGBAColor(red: 0, green: 0, blue: 0, alpha: 255)

    /// The natural size of a browser.
    var intrinsicSize: PointSize { PointSize(width: 640, height: 480) }
    var aspectRatio: Double { 0 }
    var isImmutable: Bool { false }

    func frozen() -> any PaintableContent { self }

    func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        let size = PointSize(width: width, height: height)
        let snapshot = Snapshot(pointer: snapshot)
        let view = PointRect(x: 0, y: 0, size: size)
        pages?.resize(to: size)
        let flying = pages?.flying
        snapshot.faded(to: flying?.pose.ground ?? 1) {
            snapshot.fill(view, from: Self.ground, to: Self.ground, axis: .vertical)
        }
        snapshot.clipped(to: view) {
            if let (pose, still, turns) = flying {
                draw(still, turns: turns, at: pose, into: snapshot)
            } else if let deck = pages?.deck {
                for page in deck.visiblePages { draw(page, of: deck, into: snapshot) }
            }
        }
    }

    private func draw(_ page: PhotoPage, of deck: PageDeck, into snapshot: Snapshot) {
        snapshot.moved(toX: deck.x(of: page), y: 0) {
            snapshot.clipped(to: PointRect(x: 0, y: 0, size: deck.view)) {
                // An original that fades in lies over its thumbnail.
                let isUnder = !page.handoff.hidesPage
                if isUnder, let helper = page.helper { draw(helper, under: page, into: snapshot) }
                if let still = page.still {
                    snapshot.faded(to: page.opacity) { draw(still, of: page, scale: deck.scale, into: snapshot) }
                }
                if !isUnder, let helper = page.helper { draw(helper, into: snapshot) }
            }
        }
    }

    /// - Parameter scale: Device pixels per point.
    private func draw(_ still: StillContent, of page: PhotoPage, scale: Double, into snapshot: Snapshot) {
        let (frame, turns) = (page.zoom.frame, page.quarterTurns)
        guard let tiles = page.tiles else { return draw(still, turns: turns, in: frame, into: snapshot) }
        let visible = PointRect(x: -frame.x, y: -frame.y, size: page.view)
        snapshot.moved(toX: frame.x, y: frame.y) {
            snapshot.turned(byQuarters: turns, in: frame.size) { size in
                let part = visible.turnedBack(byQuarters: turns, in: size)
                tiles.draw(into: snapshot, size: size, visible: part, scale: scale) {
                    still.draw(snapshot.pointer, width: size.width, height: size.height)
                }
            }
        }
    }

    /// The part of the thumbnail that the original covers stays below it; the rest fades out.
    private func draw(_ helper: PageHelper, under page: PhotoPage, into snapshot: Snapshot) {
        snapshot.faded(to: 1 - page.opacity) { draw(helper, into: snapshot) }
        snapshot.clipped(to: page.zoom.frame) { draw(helper, into: snapshot) }
    }

    private func draw(_ helper: PageHelper, into snapshot: Snapshot) {
        snapshot.faded(to: helper.opacity) { draw(helper.still, turns: 0, in: helper.frame, into: snapshot) }
    }

    private func draw(_ still: StillContent, turns: Int, at pose: BrowserFlight.Pose, into snapshot: Snapshot) {
        guard pose.opacity > 0 else { return }
        snapshot.faded(to: pose.opacity) {
            snapshot.rounded(pose.place.clip, radius: pose.place.cornerRadius) {
                draw(still, turns: turns, in: pose.place.frame, into: snapshot)
            }
        }
    }

    private func draw(_ still: StillContent, turns: Int, in frame: PointRect, into snapshot: Snapshot) {
        guard !frame.size.isEmpty else { return }
        snapshot.moved(toX: frame.x, y: frame.y) {
            snapshot.turned(byQuarters: turns, in: frame.size) { size in
                still.draw(snapshot.pointer, width: size.width, height: size.height)
            }
        }
    }
}

extension PointRect {
    /// The rectangle in the coordinates of a picture of `size`, which was turned clockwise.
    func turnedBack(byQuarters turns: Int, in size: PointSize) -> PointRect {
        let turned = PointSize(width: self.size.height, height: self.size.width)
        return switch turns % 4 {
        case 1: PointRect(x: y, y: size.height - maxX, size: turned)
        case 2: PointRect(x: size.width - maxX, y: size.height - maxY, size: self.size)
        case 3: PointRect(x: size.width - maxY, y: x, size: turned)
        default: self
        }
    }
}
