import WebImage

/// Draws what a browser shows: the ground, the pages in view, and a picture in flight. One paintable draws all, so that a
/// turn, a zoom or a flight needs no layout of widgets.
final class PagesContent: PaintableContent {
    /// The scene for a view of a size.
    var scene: (PointSize) -> BrowserScene = { _ in BrowserScene() }

    /// The natural size of a browser.
    var intrinsicSize: PointSize { PointSize(width: 640, height: 480) }
    var aspectRatio: Double { 0 }
    var isImmutable: Bool { false }

    func frozen() -> any PaintableContent { self }

    func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        let size = PointSize(width: width, height: height)
        let snapshot = Snapshot(pointer: snapshot)
        let view = PointRect(x: 0, y: 0, size: size)
        let scene = scene(size)
        snapshot.faded(to: scene.groundOpacity) {
            snapshot.fill(view, from: scene.ground, to: scene.ground, axis: .vertical)
        }
        snapshot.clipped(to: view) {
            for page in scene.pages { draw(page, into: snapshot) }
            if let flight = scene.flight { draw(flight, into: snapshot) }
        }
    }

    private func draw(_ page: BrowserScene.Page, into snapshot: Snapshot) {
        let room = PointRect(x: 0, y: 0, size: page.view)
        snapshot.moved(toX: page.x, y: 0) {
            snapshot.clipped(to: room) {
                let (still, helper) = (page.content.still, page.content.helper)
                // An original that fades in lies over its thumbnail.
                let isUnder = !page.content.handoff.hidesPage
                if isUnder, let helper { draw(helper, under: page, into: snapshot) }
                if let still {
                    snapshot.faded(to: page.content.opacity) { draw(still, of: page, room, into: snapshot) }
                }
                if !isUnder, let helper { draw(helper, into: snapshot) }
            }
        }
    }

    /// - Parameter room: The view of the page.
    private func draw(
        _ still: StillContent, of page: BrowserScene.Page, _ room: PointRect, into snapshot: Snapshot
    ) {
        let (frame, turns) = (page.content.zoom.frame, page.content.quarterTurns)
        guard let tiles = page.content.tiles else { return draw(still, turns: turns, in: frame, into: snapshot) }
        let visible = PointRect(x: -frame.x, y: -frame.y, size: room.size)
        snapshot.moved(toX: frame.x, y: frame.y) {
            snapshot.turned(byQuarters: turns, in: frame.size) { size in
                let part = visible.turnedBack(byQuarters: turns, in: size)
                tiles.draw(into: snapshot, size: size, visible: part, scale: page.scale) {
                    still.draw(snapshot.pointer, width: size.width, height: size.height)
                }
            }
        }
    }

    /// The part of the thumbnail that the original covers stays below it; the rest fades out.
    private func draw(_ helper: PageHelper, under page: BrowserScene.Page, into snapshot: Snapshot) {
        snapshot.faded(to: 1 - page.content.opacity) { draw(helper, into: snapshot) }
        snapshot.clipped(to: page.content.zoom.frame) { draw(helper, into: snapshot) }
    }

    private func draw(_ helper: PageHelper, into snapshot: Snapshot) {
        snapshot.faded(to: helper.opacity) { draw(helper.still, turns: 0, in: helper.frame, into: snapshot) }
    }

    private func draw(_ flight: BrowserScene.Flight, into snapshot: Snapshot) {
        let place = flight.place
        snapshot.faded(to: flight.opacity) {
            snapshot.rounded(place.clip, radius: place.cornerRadius) {
                draw(flight.still, turns: flight.quarterTurns, in: place.frame, into: snapshot)
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
