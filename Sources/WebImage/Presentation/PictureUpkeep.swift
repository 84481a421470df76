import FoundationEssentials

/// Looks after the pictures that loads have brought into a widget's views: has them decoded anew when a view has grown,
/// lets them go when nobody sees them, and brings them back when somebody does.
@MainActor
package final class PictureUpkeep<Surface: PresentationSurface> {
    private let surface: Surface
    private let queue: CallbackQueue
    private var shown: [ViewLoadKey: ShownPicture] = [:]
    private var lastNumber: UInt64 = 0

    init(surface: Surface, queue: CallbackQueue) {
        self.surface = surface
        self.queue = queue
    }

    /// Notes what a place shows from now on; nil for what no load has brought.
    func note(_ picture: ShownPicture?, at place: ViewLoadKey) {
        shown.removeValue(forKey: place)?.reload?.operation?.cancel()
        if let picture { shown[place] = picture }
    }

    /// The app has put a picture of its own into a place.
    package func forget(_ place: ViewLoadKey) { note(nil, at: place) }

    /// The widget goes.
    func end() {
        for place in shown.keys { note(nil, at: place) }
    }

    /// The widget came into sight: what it showed is there again, in this frame if memory has it.
    package func appear() {
        for place in shown.keys {
            restore(at: place)
            setPriority(at: place)
        }
    }

    /// The widget went out of sight.
    package func disappear() {
        for place in shown.keys { setPriority(at: place) }
    }

    /// Whether there are pictures that ``drop(evenFromMemory:)`` might let go.
    package var hasPictures: Bool { shown.values.contains { !$0.isDropped } }

    /// Of those pictures.
    package var byteCount: Int { shown.values.reduce(0) { $0 + ($1.isDropped ? 0 : $1.image?.heldByteCount ?? 0) } }

    /// Lets go of the pictures, which nobody sees now, as far as they can be had again without the network.
    ///
    /// - Parameter evenFromMemory: Whether those may go, too, that memory does not have, so that they come from the disk
    ///   when they are seen.
    package func drop(evenFromMemory: Bool = false) {
        for (place, picture) in shown where !picture.isDropped && isStillThere(picture, at: place) {
            guard picture.canBeLetGo(evenFromMemory: evenFromMemory, callbackQueue: queue) else { continue }
            shown[place]?.isDropped = true
            surface.drop(place)
        }
    }

    /// Whether a picture that a load has brought is shown at `place`, or was and will be again.
    package func hasPicture(at place: ViewLoadKey) -> Bool {
        shown[place].map { $0.isDropped || isStillThere($0, at: place) } ?? false
    }

    /// The picture of a place that was let go, which stays so: nil when memory does not have it any more.
    package func droppedImage(at place: ViewLoadKey) -> Image? {
        guard let picture = shown[place], picture.isDropped else { return nil }
        return picture.image ?? picture.imageFromMemory(callbackQueue: queue)
    }

    /// A view or the density of its screen may have grown. What it shows stays until there is something sharper, which
    /// takes its place without a transition.
    package func viewMayHaveGrown(at place: ViewLoadKey) {
        if let box = largerBox(at: place) { load(at: place, for: box) }
    }

    /// Whether ``viewMayHaveGrown(at:)`` would load anything: not while something else is under way, whose picture has to
    /// be looked at then.
    package func canBeSharper(at place: ViewLoadKey) -> Bool { largerBox(at: place) != nil }

    private func largerBox(at place: ViewLoadKey) -> DecodeBox? {
        guard let picture = shown[place], !picture.isDropped, picture.reload == nil, isStillThere(picture, at: place),
            let wanted = surface.decodeBox(at: place), picture.canBeSharper(in: wanted)
        else { return nil }
        return picture.box?.union(wanted)
    }
}

// MARK: - Loading again

extension PictureUpkeep {
    private func restore(at place: ViewLoadKey) {
        guard let picture = shown[place], picture.isDropped, picture.reload == nil else { return }
        if let image = picture.image { return show(image, at: place) }
        load(at: place, for: picture.box)
        showStandIn(at: place)
    }

    private func showStandIn(at place: ViewLoadKey) {
        if let picture = shown[place], picture.isDropped { surface.standIn(picture.standIn, at: place) }
    }

    /// The app may have put something else there without saying so.
    private func isStillThere(_ picture: ShownPicture, at place: ViewLoadKey) -> Bool {
        guard let image = picture.image else { return false }
        return surface.image(at: place) === image
    }

    private func show(_ image: Image, at place: ViewLoadKey) {
        shown[place]?.image = image
        shown[place]?.isDropped = false
        surface.replace(by: image, at: place)
    }

    /// Not a load of the view's: nobody is told of it. If it fails, what is shown stays, and what was let go is tried again
    /// when the widget comes into sight the next time.
    private func load(at place: ViewLoadKey, for box: DecodeBox?) {
        guard let picture = shown[place] else { return }
        lastNumber += 1
        let number = lastNumber
        shown[place]?.reload = (number, nil)
        let operation = picture.load(for: box, callbackQueue: queue) { [weak self] result in
            MainActor.assumeIsolated { self?.receive(result, of: number, at: place, for: box) }
        }
        // Memory has answered, or what was called meanwhile has put something else there, when nobody had the operation
        // yet: it does no harm to one that has ended.
        guard shown[place]?.reload?.number == number else { return operation.cancel() }
        shown[place]?.reload?.operation = operation
        setPriority(at: place)
    }

    private func setPriority(at place: ViewLoadKey) {
        guard let picture = shown[place], let operation = picture.reload?.operation else { return }
        operation.setPriority(picture.priority(isSeen: surface.isSeen))
    }

    private func receive(
        _ result: Result<LoadResult, WebImageError>, of number: UInt64, at place: ViewLoadKey, for box: DecodeBox?
    ) {
        guard let picture = shown[place], picture.reload?.number == number else { return }
        shown[place]?.reload = nil
        guard case .success(let success) = result else { return showStandIn(at: place) }
        guard picture.isDropped || isStillThere(picture, at: place) else { return }
        shown[place]?.box = box
        show(success.image, at: place)
    }
}
