import CGtk4
import WebImage

/// The page of one photo: its picture and the thumbnail that stands for it, their places, and the handoff between them.
final class PhotoPage {
    /// Changes with the photos before it.
    var index: Int
    let photo: Photo
    /// The outcome of its load that the delegate has heard of last; nil for none.
    var told: Outcome?

    enum Outcome {
        case loaded, failed
    }

    /// nil once the page is released.
    weak var deck: PageDeck?

    /// Something else is to be drawn.
    func changed() { deck?.changed() }

    /// The size of the view, in points.
    private(set) var view = PointSize(width: 0, height: 0)
    private(set) var zoom = PhotoZoom(of: PointSize(width: 0, height: 0), in: PointSize(width: 0, height: 0))
    var rules = ZoomLimits.Rules() {
        didSet { if rules != oldValue { layOut() } }
    }
    /// How often the person has turned the picture, by 90 degrees clockwise.
    private(set) var quarterTurns = 0

    private(set) var handoff = Handoff()
    /// The thumbnail on top of the page.
    private(set) var helper: PageHelper?
    /// The opacity of a picture that brightens.
    private var brightness = 1.0
    /// The opacity of the picture.
    var opacity: Double {
        switch handoff.phase {
        case .none: 1
        case .covered, .squeezing: 0
        case .brightening: brightness
        }
    }
    /// The picture; nil before it is there.
    private(set) var still: StillContent?
    private var player: AnimatedImagePlayer? {
        didSet { oldValue?.stopPlaying() }
    }
    private var isPlaying = false
    /// Looks for a thumbnail that is not at hand.
    var search: LoadOperation? {
        didSet { oldValue?.cancel() }
    }
    let tileOpening: PageTileOpening
    /// The sharp parts of a picture that is too large to be decoded as a whole.
    var tiles: PageTiles? { tileOpening.tiles }

    init(index: Int, photo: Photo, animator: any PageAnimator) {
        self.index = index
        self.photo = photo
        animation = AnimationSlot(animator)
        tileOpening = PageTileOpening(photo)
        tileOpening.page = self
    }

    isolated deinit { player?.stopPlaying() }

    /// Whether the page draws its picture: in any size, and perhaps only what has arrived of it. ``Photo/isComplete`` says
    /// that all of it has, and ``Photo/isSharp(for:)`` that it need not be decoded larger.
    var hasPicture: Bool { still != nil }

    /// The size of the picture in points, as it is turned now; nil while it is unknown.
    var pictureSize: PointSize? {
        guard let image = photo.underlyingImage, let size = photo.originalPixelSize else { return nil }
        let points = size.points(at: image.scale)
        return quarterTurns.isMultiple(of: 2) ? points : PointSize(width: points.height, height: points.width)
    }

    /// Lays the page out in a view of another size.
    func resize(to size: PointSize) {
        guard size != view else { return }
        view = size
        if handoff.phase.isAnimating { advanceHandoff(.cancelled) }
        layOut()
    }

    /// Shows the picture of the photo: the first one at its initial factor, a sharper one in the place of the former one.
    func displayImage() {
        guard let image = photo.underlyingImage else { return }
        let isFirst = still == nil
        if still?.image !== image {
            still = StillContent(image, size: pictureSize)
            player = nil
            if isPlaying { play() }
        }
        if isFirst || pictureSize != zoom.picture { layOut() }
        changed()
    }

    /// Shows no picture.
    func clear() {
        still = nil
        player = nil
        tileOpening.close()
        layOut()
        changed()
    }

    /// Turns the picture by 90 degrees clockwise, where there is one.
    func turn() {
        guard hasPicture else { return }
        quarterTurns = (quarterTurns + 1) % 4
        zoom = PhotoZoom(of: pictureSize ?? zoom.picture, in: view, isFixed: photo.isVideo, rules: rules)
        changed()
    }

    /// Places the picture. Does nothing if the place was computed for another size of the view or of the picture.
    func setZoom(_ zoom: PhotoZoom) {
        guard zoom.view == view, zoom.picture == self.zoom.picture else { return }
        self.zoom = zoom
        changed()
    }

    private func layOut() {
        guard let size = pictureSize, still != nil else {
            // Nothing can be zoomed while the picture is loaded.
            zoom = PhotoZoom(of: PointSize(width: 0, height: 0), in: view)
            helper?.layOut(original: helper?.original, in: view, rules)
            return
        }
        zoom =
            size == zoom.picture
            ? zoom.resized(to: view, rules: rules)
            : PhotoZoom(of: size, in: view, isFixed: photo.isVideo, rules: rules)
        helper?.layOut(original: size, in: view, rules)
    }

    // MARK: Playing

    /// Plays an animation from now on, or stands still.
    func setPlaying(_ isPlaying: Bool) {
        guard isPlaying != self.isPlaying else { return }
        self.isPlaying = isPlaying
        if isPlaying { play() } else { player?.pausePlaying() }
    }

    /// The time of its animation; nil for that of the main queue.
    var clock: (any AnimationClock)?

    private func play() {
        if player == nil, let still, let image = still.image, let animation = image.animation {
            player = AnimatedImagePlayer(
                animation, poster: image.bitmap, isComplete: !image.metadata.isIncremental, clock: clock)
            player?.frameHandler = { [weak self, weak still] _, frame in
                still?.show(frame, as: nil)
                self?.changed()
            }
        }
        player?.startPlaying()
    }

    // MARK: Handoff

    /// Covers the page by a thumbnail until the original is there.
    func cover(by thumbnail: PageThumbnail) {
        let original = photo.expectedPixelSize?.points(at: thumbnail.image.scale) ?? thumbnail.photoSize
        advanceHandoff(.open)
        helper = PageHelper(thumbnail.image, original: original, in: view, rules)
        changed()
    }

    /// Tells the handoff what has happened, and carries out what follows.
    func advanceHandoff(_ event: Handoff.Event) {
        let actions = handoff.handle(event)
        for action in actions { perform(action) }
        if !actions.isEmpty { changed() }
    }

    /// How the original replaces the thumbnail.
    var swap: HandoffLayout.Swap { helper?.layout.swap ?? .silent }

    private let animation: AnimationSlot
    /// Whether input is ignored for the time of the handoff.
    var inputIsHeld: Bool { handoff.phase.isAnimating }

    private func perform(_ action: Handoff.Action) {
        switch action {
        case .squeeze(let number): squeeze(number)
        case .brighten(let number, let start): brighten(number, from: start)
        case .removeHelper:
            animation.stop()
            helper?.reset()
            helper = nil
        }
    }

    private func squeeze(_ number: Int) {
        guard let helper else { return }
        let factor = helper.layout.squeeze(to: zoom.frame)
        run(number) { [weak self] progress in
            self?.helper?.opacity = 1.0.mixed(with: Handoff.dimmed, progress)
            self?.helper?.scaleY = 1.0.mixed(with: factor, progress)
        }
    }

    private func brighten(_ number: Int, from start: Double) {
        brightness = start
        run(number) { [weak self] progress in self?.brightness = start.mixed(with: 1, progress) }
    }

    private func run(_ number: Int, _ step: @escaping (Double) -> Void) {
        animation.run(
            Handoff.phaseDuration, .linear,
            step: { [weak self] progress in
                step(progress)
                self?.changed()
            },
            ended: { [weak self] in self?.advanceHandoff(.animationEnded(number)) })
    }
}
