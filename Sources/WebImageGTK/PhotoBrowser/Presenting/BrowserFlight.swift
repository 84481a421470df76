import WebImage

/// The way of a picture from its thumbnail to its page and back, or with a finger. It can be turned round at any moment.
final class BrowserFlight {
    /// One leg of the way.
    private struct Leg {
        let start: Pose
        /// The thumbnail's place, if the leg begins there. The thumbnail may show only a part of the picture.
        var thumbnail: PictureFlight.Place?
        /// nil for the place on the page, which may change meanwhile.
        let end: Pose?
        var progress = 0.0
    }

    /// A place, the opacity of the ground behind it, and that of the picture.
    struct Pose {
        var place: PictureFlight.Place
        var ground: Double
        var opacity = 1.0

        func mixed(with other: Pose, _ progress: Double) -> Pose {
            Pose(
                place: place.mixed(with: other.place, progress), ground: ground.mixed(with: other.ground, progress),
                opacity: opacity.mixed(with: other.opacity, progress))
        }
    }

    private enum State {
        case none
        case flying(Leg)
        case dragging(DismissDrag)
    }

    weak var pages: BrowserPages?
    /// How many times higher than wide a picture is whose thumbnail shows its top.
    var longPictureRatio = LongPicture.defaultRatio
    private var state = State.none
    private let animation: AnimationSlot

    init(_ animator: any PageAnimator) { animation = AnimationSlot(animator) }

    var isRunning: Bool { if case .none = state { false } else { true } }
    var isDragging: Bool { if case .dragging = state { true } else { false } }
    var isFlying: Bool { if case .flying = state { true } else { false } }

    /// The place of the picture now; nil when it is on its page.
    var pose: Pose? {
        let page = pages?.picturePlace.map { Pose(place: $0, ground: 1) }
        switch state {
        case .none: return nil
        case .dragging(let drag):
            return page.map { Pose(place: drag.place(of: $0.place), ground: drag.groundOpacity) }
        case .flying(let leg):
            var start = leg.start
            if let thumbnail = leg.thumbnail { start.place = fitted(thumbnail) }
            return (leg.end ?? page).map { start.mixed(with: $0, PictureFlight.timing.value(at: leg.progress)) }
        }
    }

    /// Flies from the place of a thumbnail to the page; ends at once while no picture is on that.
    ///
    /// - Parameter ground: The opacity of the ground at first.
    func arrive(from place: PictureFlight.Place, ground: Double = 0, ended: @escaping () -> Void) {
        guard pages?.picturePlace != nil else { return ended() }
        if let pose { return fly(Leg(start: pose, end: nil), ended: ended) }
        fly(Leg(start: Pose(place: place, ground: ground), thumbnail: place, end: nil), ended: ended)
    }

    /// Whether the flight to the page has just begun: the original may replace the thumbnail now, and nobody sees it.
    var isBeginning: Bool {
        if case .flying(let leg) = state, leg.thumbnail != nil { leg.progress < 0.3 } else { false }
    }

    /// Flies to the place of a thumbnail, from wherever the picture is; where there is none, it fades out.
    func leave(to place: PictureFlight.Place?, ended: @escaping () -> Void) {
        guard let start = pose ?? pages?.picturePlace.map({ Pose(place: $0, ground: 1) }) else { return ended() }
        let end = place.map { Pose(place: fitted($0), ground: 0) } ?? Pose(place: start.place, ground: 0, opacity: 0)
        fly(Leg(start: start, end: end), ended: ended)
    }

    /// The place of the whole picture that flies where only a part of it is seen: nothing is squeezed on its way.
    private func fitted(_ place: PictureFlight.Place) -> PictureFlight.Place {
        pages?.picturePlace.map { place.covered(by: $0.frame.size, longPictureRatio: longPictureRatio) } ?? place
    }

    /// The picture follows a finger.
    func drag(_ drag: DismissDrag) {
        animation.stop()
        state = .dragging(drag)
        pages?.sceneHasChanged()
    }

    /// Flies back to the page after a drag.
    func settle() {
        guard isRunning, let pose else { return cancel() }
        fly(Leg(start: pose, end: nil)) {}
    }

    /// The picture is on its page at once.
    func cancel() {
        animation.stop()
        guard isRunning else { return }
        state = .none
        pages?.sceneHasChanged()
        pages?.deck.finishHandoff()
    }

    private func fly(_ leg: Leg, ended: @escaping () -> Void) {
        animation.stop()
        state = .flying(leg)
        pages?.sceneHasChanged()
        animation.run(
            PictureFlight.duration, .linear,
            step: { [weak self] progress in self?.move(leg, to: progress) },
            ended: { [weak self] in self?.land(onPage: leg.end == nil, ended) })
    }

    private func move(_ leg: Leg, to progress: Double) {
        var leg = leg
        leg.progress = progress
        state = .flying(leg)
        pages?.sceneHasChanged()
    }

    private func land(onPage isOnPage: Bool, _ ended: () -> Void) {
        // A flight away stays at its end: the picture must not appear on the page again before the browser is removed.
        if isOnPage { state = .none }
        pages?.sceneHasChanged()
        if isOnPage { pages?.deck.finishHandoff() }
        ended()
    }
}
