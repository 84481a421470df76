import FoundationEssentials
import WebImageCore
import WebImageLoading

/// Maintains the loaded pictures of a widget's views: decodes them again when a view has grown, releases them while the
/// widget is invisible, and restores them when it is visible again.
@MainActor
package final class PictureUpkeep<Surface: PresentationSurface> {
    private let surface: Surface
    private let queue: CallbackQueue
    private var shown: [ViewLoadKey: ShownPicture] = [:]
    /// Called when ``isRestoring`` may have changed.
    var restoringHasChanged: () -> Void = {}

    init(surface: Surface, queue: CallbackQueue) {
        self.surface = surface
        self.queue = queue
    }

    /// Records the picture of a place; nil for content that no load has set.
    func note(_ picture: ShownPicture?, at place: ViewLoadKey) {
        endReload(at: place)?.operation?.cancel()
        shown[place] = picture
        restoringHasChanged()
    }

    /// Whether a released picture is being loaded again.
    var isRestoring: Bool { shown.values.contains { $0.isDropped && $0.reload != nil } }

    /// The app has set a picture of its own in a place.
    package func forget(_ place: ViewLoadKey) { note(nil, at: place) }

    /// The widget is being destroyed.
    func end() {
        for place in shown.keys { note(nil, at: place) }
    }

    /// The widget is visible: its pictures are restored, in this frame if memory has them.
    package func appear() {
        for place in shown.keys {
            restore(at: place)
            setPriority(at: place)
        }
        restoringHasChanged()
    }

    /// The widget is invisible. Loads that wait are not needed before it is visible again.
    package func disappear() {
        for place in shown.keys {
            if shown[place]?.reload?.isHeld == true { endReload(at: place)?.operation?.cancel() }
            setPriority(at: place)
        }
        restoringHasChanged()
    }

    /// Whether there are pictures that ``drop(evenFromMemory:)`` may release.
    package var hasPictures: Bool { shown.values.contains { !$0.isDropped } }

    /// The bytes of those pictures.
    package var byteCount: Int { shown.values.reduce(0) { $0 + ($1.isDropped ? 0 : $1.image?.heldByteCount ?? 0) } }

    /// Releases the pictures of an invisible widget, as far as they can be restored without the network.
    ///
    /// - Parameter evenFromMemory: Whether to release pictures that memory does not have, too; they are restored from
    ///   the disk.
    package func drop(evenFromMemory: Bool = false) {
        for (place, picture) in shown where !picture.isDropped && isStillThere(picture, at: place) {
            guard picture.canBeLetGo(evenFromMemory: evenFromMemory, callbackQueue: queue) else { continue }
            shown[place]?.isDropped = true
            surface.drop(place)
        }
    }

    /// Whether a loaded picture is shown at `place`, or was released and will be restored.
    package func hasPicture(at place: ViewLoadKey) -> Bool {
        shown[place].map { $0.isDropped || isStillThere($0, at: place) } ?? false
    }

    /// The released picture of a place, which stays released: nil when memory does not have it any more.
    package func droppedImage(at place: ViewLoadKey) -> Image? {
        guard let picture = shown[place], picture.isDropped else { return nil }
        return picture.image ?? picture.imageFromMemory(callbackQueue: queue)
    }

    /// A view or its scale factor may have grown. The current picture stays until a sharper one replaces it without a
    /// transition.
    package func viewMayHaveGrown(at place: ViewLoadKey) {
        if let box = largerBox(at: place) { load(at: place, for: box) }
    }

    /// Whether ``viewMayHaveGrown(at:)`` would load anything. False while another load runs: its picture is checked
    /// when it arrives.
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

    /// The app may have set other content without this object's knowledge.
    private func isStillThere(_ picture: ShownPicture, at place: ViewLoadKey) -> Bool {
        guard let image = picture.image else { return false }
        return surface.image(at: place) === image
    }

    private func show(_ image: Image, at place: ViewLoadKey) {
        shown[place]?.image = image
        shown[place]?.isDropped = false
        surface.replace(by: image, at: place)
    }

    /// A load without callbacks to the app, in the order of all loads of the window. If it fails, the current picture
    /// stays; a released one is tried again when the widget becomes visible the next time.
    private func load(at place: ViewLoadKey, for box: DecodeBox?) {
        guard let picture = shown[place] else { return }
        let id = ViewLoadID()
        shown[place]?.reload = ShownPicture.Reload(id: id, box: box)
        let load = picture.prepare(for: box, callbackQueue: queue) { [weak self] result in
            MainActor.assumeIsolated { self?.receive(result, of: id, at: place) }
        }
        // An interceptor of the app's may have set another picture.
        guard shown[place]?.reload?.id == id else { return }
        shown[place]?.reload?.prepared = load.afterWait
        let isAdmitted = surface.admission.admitReload(
            AdmissionRequest(
                id: id, takesViewSize: false, isPatient: picture.isPatient,
                isInMemory: { _ in picture.manager.endsAtOnce(load) },
                resume: {}, move: { [weak self] in self?.move(id, at: place, to: $0) }))
        if isAdmitted { begin(load, at: place) }
    }

    private func move(_ id: ViewLoadID, at place: ViewLoadKey, to visibility: ViewVisibility) {
        guard let reload = shown[place]?.reload, reload.id == id else { return }
        shown[place]?.reload?.visibility = visibility
        switch visibility {
        case .seen, .near:
            if reload.isHeld, let load = reload.prepared { begin(load, at: place) } else { setPriority(at: place) }
        case .far: takeBack(at: place)
        }
    }

    private func begin(_ load: PlannedLoad, at place: ViewLoadKey) {
        guard let picture = shown[place], let reload = picture.reload else { return }
        shown[place]?.reload?.isHeld = false
        if let operation = reload.operation {
            picture.manager.begin(operation, load)
        } else {
            let operation = picture.manager.begin(load)
            // Before `begin` returned the operation, memory has answered, or a callback has set another picture.
            // Cancelling an ended operation is harmless.
            guard shown[place]?.reload?.id == reload.id else { return operation.cancel() }
            shown[place]?.reload?.operation = operation
        }
        setPriority(at: place)
    }

    /// The view is far away: the load waits again, unless it has received most bytes.
    private func takeBack(at place: ViewLoadKey) {
        guard let picture = shown[place], let operation = picture.reload?.operation,
            picture.manager.suspend(operation)
        else { return setPriority(at: place) }
        shown[place]?.reload?.isHeld = true
    }

    @discardableResult
    private func endReload(at place: ViewLoadKey) -> ShownPicture.Reload? {
        guard let reload = shown[place]?.reload else { return nil }
        shown[place]?.reload = nil
        surface.admission.withdraw(reload.id)
        return reload
    }

    private func setPriority(at place: ViewLoadKey) {
        guard let picture = shown[place], let reload = picture.reload else { return }
        let isSeen = reload.visibility.map { $0 == .seen } ?? surface.isSeen
        reload.operation?.setPriority(picture.priority(isSeen: isSeen))
    }

    private func receive(_ result: Result<LoadResult, WebImageError>, of id: ViewLoadID, at place: ViewLoadKey) {
        guard let picture = shown[place], picture.reload?.id == id, let reload = endReload(at: place) else {
            return
        }
        defer { restoringHasChanged() }
        guard case .success(let success) = result else { return showStandIn(at: place) }
        guard picture.isDropped || isStillThere(picture, at: place) else { return }
        shown[place]?.box = reload.box
        show(success.image, at: place)
    }
}
