import CGtk4
import FoundationEssentials
import WebImage

/// The loads of one widget: does what ``ViewLoadState`` decides. GTK owns it together with the widget.
final class Coordinator {
    typealias Generation = ViewLoadState.Generation

    let display: PaintableDisplay
    private var state = ViewLoadState()
    private var requests: [Generation: ViewLoadRequest] = [:]
    private var isAlive = true
    /// Set while a completion is being told of a picture that was shown.
    private var replaced: Replaced?

    /// What the widget showed before; nil within for an empty widget.
    private struct Replaced {
        let content: ViewContent?
    }

    private static let key = "webimage-coordinator"

    /// The widget's coordinator, made when first asked for.
    static func of(_ widget: UnsafeMutablePointer<GtkWidget>) -> Coordinator {
        let object = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GObject.self)
        if let found = g_object_get_data(object, key) {
            return Unmanaged<Coordinator>.fromOpaque(found).takeUnretainedValue()
        }
        let made = Coordinator(PictureTarget(widget: widget))
        g_object_set_data_full(
            object, key, Unmanaged.passRetained(made).toOpaque(),
            { data in
                guard let data else { return }
                Unmanaged<Coordinator>.fromOpaque(data).release()
            })
        return made
    }

    private init(_ target: any PaintableTarget) {
        MainLoopBridge.install()
        display = PaintableDisplay(target)
        let object = UnsafeMutableRawPointer(target.widget)
        connect(object, "destroy") { [weak self] in self?.end() }
        // Frame clocks go on ticking for hidden widgets.
        connect(object, "unmap") { [weak self] in self?.display.suspend() }
    }

    isolated deinit {
        for action in state.end() { perform(action, arrived: nil) }
    }

    /// The picture that the widget shows.
    var image: Image? {
        get { isAlive ? display.image : nil }
        set {
            if isAlive { show(newValue) }
        }
    }

    /// The URL of the latest load.
    var url: URL? { state.url(for: .image) }

    /// Starts a load in place of the one before it.
    func load(_ request: ViewLoadRequest) -> LoadOperation? {
        if !request.options.contains(.avoidAutoCancelImage) {
            for action in state.stop(.image) { perform(action, arrived: nil) }
        }
        let (generation, actions) = state.begin(request.url, options: request.options)
        requests[generation] = request
        for action in actions { perform(action, arrived: nil) }
        return requests[generation]?.operation
    }

    func cancel() {
        for action in state.cancel(.image) { perform(action, arrived: nil) }
    }

    func fadeFromPrevious(_ transition: FadeTransition) {
        if isAlive, let replaced { display.fadeIn(over: replaced.content, transition) }
    }

    private func receive(_ result: Result<LoadResult, WebImageError>, for generation: Generation) {
        let ending: ViewLoadState.Ending = if case .success = result { .image } else { .failure }
        defer { replaced = nil }
        for action in state.finish(generation, with: ending) { perform(action, arrived: result) }
    }

    /// A part of the picture, or the one in the cache that is being refreshed, never fades in.
    private func receive(_ update: LoadUpdate, for generation: Generation) {
        guard state.showsUpdate(of: generation) else { return }
        switch update {
        case .cached(let result): show(result.image)
        case .partial(let image): show(image)
        }
    }

    private func perform(_ action: ViewLoadState.Action, arrived: Result<LoadResult, WebImageError>?) {
        switch action {
        case .cancel(let generation):
            guard let request = requests.removeValue(forKey: generation) else { return }
            request.operation?.cancel()
            request.completed?(.failure(.cancelled(url: request.url)))
        case .showPlaceholder(let generation):
            guard state.isCurrent(generation) else { return }
            show(requests[generation]?.placeholder)
        case .load(let generation):
            start(generation)
        case .showImage(let generation):
            guard state.isCurrent(generation), case .success(let success) = arrived else { return }
            show(success.image, inPlaceOf: Replaced(content: display.captureCurrent()))
        case .refuse(let generation):
            requests.removeValue(forKey: generation)?.completed?(.failure(.noURL))
        case .complete(let generation):
            guard let request = requests.removeValue(forKey: generation), let arrived else { return }
            request.completed?(arrived)
        }
    }

    /// Nothing but a picture that was loaded fades in, so whatever else is shown lets go of the former content.
    private func show(_ image: Image?, inPlaceOf former: Replaced? = nil) {
        replaced = former
        display.show(image)
    }

    private func start(_ generation: Generation) {
        guard let request = requests[generation] else { return }
        var context = request.context
        context.callbackQueue = CompletionPump.shared.callbackQueue
        context.imageManager = nil
        let manager = request.context.imageManager ?? .shared
        let operation = manager.load(
            request.url, options: request.options, context: context, progress: request.progress,
            received: { [weak self] update in
                MainActor.assumeIsolated { self?.receive(update, for: generation) }
            },
            completed: { [weak self] result in
                MainActor.assumeIsolated { self?.receive(result, for: generation) }
            })
        // Gone already when the manager has answered at once.
        requests[generation]?.operation = operation
    }

    private func end() {
        isAlive = false
        display.interrupt()
        for action in state.end() { perform(action, arrived: nil) }
    }
}
