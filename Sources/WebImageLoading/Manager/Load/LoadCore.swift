import FoundationEssentials
import WebImageCore
import WebImageHTTP

/// Prepares loads, and begins them. Separate from the manager, so that a running load does not need the manager.
final class LoadCore: Sendable {
    let defaults: LoadDefaults
    let shared: SharedStages
    let loads = SharedLoads()
    /// Measures the inactivity of interceptors.
    let clock: any Clock<Duration>
    /// Runs the functions of interceptors; nil for Swift's default.
    let taskExecutor: (any TaskExecutor)?

    init(
        defaults: LoadDefaults, shared: SharedStages, clock: any Clock<Duration>, taskExecutor: (any TaskExecutor)?
    ) {
        self.defaults = defaults
        self.shared = shared
        self.clock = clock
        self.taskExecutor = taskExecutor
    }

    /// Starts the load of `request`.
    func start(_ request: ImageRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks) -> LoadOperation {
        begin(prepare(request, settings, callbacks))
    }

    /// Ends the load of a request whose address is wrong.
    func end(
        _ request: ImageRequest, with error: WebImageError, _ settings: LoadSettings, _ callbacks: LoadCallbacks
    ) -> LoadOperation {
        begin(
            PlannedLoad(
                request: request, settings: settings, callbacks: callbacks, way: .answered(LoadEnding(.failure(error))))
        )
    }

    // MARK: Preparing

    /// Asks the interceptors, and plans the load of what they make of `request`.
    func prepare(_ request: ImageRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks) -> PlannedLoad {
        let (request, chain) = (settings.filling(request), settings.chain)
        guard !chain.isEmpty else { return planned(request, settings, callbacks) }
        var callbacks = callbacks
        callbacks.requestedURL = request.url
        return prepare(request, chain: chain[...], settings, callbacks)
    }

    /// Plans the load of a request that the interceptors before `chain` have seen.
    private func prepare(
        _ request: ImageRequest, chain: ArraySlice<any LoadInterceptor>, _ settings: LoadSettings,
        _ callbacks: LoadCallbacks
    ) -> PlannedLoad {
        var request = request
        for (index, interceptor) in zip(chain.indices, chain) {
            let way: PlannedLoad.Way
            switch interceptor.intercept(request) {
            case .proceed(let changed):
                request = changed
                continue
            case .finish(let outcome): way = .answered(LoadEnding(outcome))
            case .around(let body): way = .takenOver(body, rest: chain[(index + 1)...])
            }
            return PlannedLoad(request: request, settings: settings, callbacks: callbacks, way: way)
        }
        return planned(request, settings, callbacks)
    }

    func planned(_ request: ImageRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks) -> PlannedLoad {
        var equal: SharedLoad?
        let way = way(of: request, settings, callbacks, &equal)
        // Only now is it known what the load is really for: the interceptors may have changed it.
        guard callbacks.goesToDisk, case .stages(let plan) = way else {
            return PlannedLoad(
                request: request, settings: settings, callbacks: callbacks, way: way, equal: equal)
        }
        let file = request.broughtToDisk(by: plan)
        return PlannedLoad(
            request: file, settings: settings, callbacks: callbacks,
            way: .stages(self.plan(plan.url, file, settings, callbacks)))
    }

    /// A load that has waited, with the settings of its beginning.
    func renewed(_ load: PlannedLoad, _ settings: LoadSettings) -> PlannedLoad {
        guard load.settings !== settings else { return load }
        switch load.way {
        case .answered, .takenOver: return load
        case .stages, .previewed, .alternatives: return planned(load.request, settings, load.callbacks)
        }
    }

    private func way(
        of request: ImageRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks, _ equal: inout SharedLoad?
    ) -> PlannedLoad.Way {
        if let pictures = PreviewedRequest(request) { return .previewed(pictures) }
        if let sources = AlternativeSources(request) { return .alternatives(sources) }
        guard let url = request.url, !url.absoluteString.isEmpty else { return .answered(LoadEnding(.failure(.noURL))) }
        // Hashing a URL takes time, so this looks for an equal load only where loads are under way.
        if !loads.isEmpty { equal = key(of: request, settings, callbacks).flatMap { loads[$0] } }
        return .stages(equal?.plan ?? plan(url, request, settings, callbacks))
    }

    func plan(
        _ url: URL, _ request: ImageRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks
    ) -> LoadPlan {
        LoadPlan(
            url: url, requestedURL: callbacks.requestedURL, request: request, defaults: defaults,
            isOffline: settings.values.isOffline)
    }

    // MARK: Beginning

    /// Begins a load, in its handle where it was held.
    func begin(_ load: PlannedLoad, as held: LoadOperation? = nil) -> LoadOperation {
        switch load.way {
        case .stages(let plan): beginStages(load, plan, held)
        case .answered(let ending): end(load, with: ending, held)
        case .takenOver(let body, let rest): takeOver(load, body, rest, held)
        case .previewed(let pictures): begin(load, pictures, held)
        case .alternatives(let sources): begin(load, sources, held)
        }
    }

    private func beginStages(_ load: PlannedLoad, _ plan: LoadPlan, _ held: LoadOperation?) -> LoadOperation {
        if let refusal = refusal(of: plan.url, plan.options) {
            return end(load, with: LoadEnding(.failure(refusal)), held)
        }
        let trace = trace(load, held)
        let image = image(of: load, plan, trace)
        if let image, !plan.goesOn(after: image, at: shared.now()) {
            return end(load, plan, image, trace, held)
        }
        let operation = run(load, trace, held)
        // A picture in memory concerns only this load.
        if image == nil { load.callbacks.memoryMissed?() }
        if image == nil, let equal = load.equal, let number = equal.join(operation) {
            // Its maker may not have joined it yet.
            if number == 1 { equal.start(inMemory: nil) }
            return operation
        }
        let key = image == nil ? key(of: load.request, load.settings, load.callbacks) : nil
        travel(operation, plan, key, load.settings, image)
        return operation
    }

    /// Loads the first of several addresses whose picture is in memory, or else tries them all.
    private func begin(_ load: PlannedLoad, _ sources: AlternativeSources, _ held: LoadOperation?) -> LoadOperation {
        var callbacks = load.callbacks
        callbacks.requestedURL = callbacks.requestedURL ?? load.request.url
        for request in sources.requests {
            let single = planned(request, load.settings, callbacks)
            if isInMemory(single) { return begin(single, as: held) }
        }
        callbacks.memoryMissed?()
        var all = load
        all.callbacks = callbacks
        return takeOver(all, sources.load, [], held)
    }

    /// Ends a load with the picture from memory.
    private func end(
        _ load: PlannedLoad, _ plan: LoadPlan, _ image: Image, _ trace: LoadTrace?, _ held: LoadOperation?
    ) -> LoadOperation {
        if plan.options.contains(.retryFailed) { shared.failedURLs.remove(plan.url) }
        let answer = plan.answer(of: image.origin.record, at: shared.now())
        var result = LoadResult(image: image, cacheType: .memory, url: plan.requestedURL, http: answer.response)
        result.isStale = answer.isStale
        let outcome = LoadStateMachine.Outcome.success(result)
        let continues = plan.options.contains(.continueInBackground)
        let isToldNow = load.callbacks.queue(for: load.request).isCurrent
        // A load that ends before this returns need not be retained, and without a trace its events are in order.
        if held == nil, isToldNow, trace == nil, !continues {
            load.callbacks.completed?(outcome)
            return LoadOperation(load.request, callbacks: load.callbacks, told: LoadEnding(outcome), shared: shared)
        }
        let operation = held ?? LoadOperation(load.request, callbacks: load.callbacks, trace: trace, shared: shared)
        if !isToldNow || continues { register(operation, load) }
        operation.finish(LoadEnding(outcome))
        return operation
    }

    /// Goes through the stages, shared with loads of the same key where there is one.
    private func travel(
        _ operation: LoadOperation, _ plan: LoadPlan, _ key: SharedLoadKey?, _ settings: LoadSettings,
        _ image: Image?
    ) {
        let make = { [shared, loads] in
            SharedLoad(
                LoadStages(plan: plan, shared: shared, settings: settings), key: key, among: loads,
                isTraced: operation.trace != nil)
        }
        guard let key else {
            let load = make()
            load.join(operation)
            return load.start(inMemory: image)
        }
        let (load, number) = loads.join(key, orMake: make) { $0.join(operation) }
        if number == 1 { load.start(inMemory: nil) }
    }

    /// The key for sharing; nil for a load that is not shared.
    private func key(
        of request: ImageRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks
    ) -> SharedLoadKey? {
        SharedLoadKey(request, requestedURL: callbacks.requestedURL, settings: settings)
    }

    /// Why a load may not even begin; nil when it may.
    func refusal(of url: URL, _ options: WebImageOptions) -> WebImageError? {
        options.contains(.retryFailed) ? nil : shared.failedURLs[url].map { .blockedURL(url, after: $0) }
    }

    private func end(
        _ load: PlannedLoad, with ending: LoadEnding, _ held: LoadOperation?
    ) -> LoadOperation {
        let operation = handle(of: load, trace(load, held), held)
        operation.finish(ending)
        return operation
    }

    private func takeOver(
        _ load: PlannedLoad, _ body: @escaping InterceptedLoad.Body, _ rest: ArraySlice<any LoadInterceptor>,
        _ held: LoadOperation?
    ) -> LoadOperation {
        let operation = run(load, trace(load, held), held)
        let intercepted = InterceptedLoad(
            load.request, of: operation, timeout: load.settings.values.interceptorTimeout, clock: clock,
            taskExecutor: taskExecutor
        ) { [self] request, inner in
            var inner = inner
            inner.goesToDisk = load.callbacks.goesToDisk
            return begin(prepare(request, chain: rest, load.settings, inner))
        }
        guard operation.wait(for: .interceptor(intercepted)) else { return operation }
        operation.trace?.begin(.intercept)
        intercepted.start(body)
        return operation
    }

    // MARK: Handles

    /// The handle of a load that runs from now on.
    func run(_ load: PlannedLoad, _ trace: LoadTrace?, _ held: LoadOperation?) -> LoadOperation {
        let operation = handle(of: load, trace, held)
        register(operation, load)
        return operation
    }

    private func handle(of load: PlannedLoad, _ trace: LoadTrace?, _ held: LoadOperation?) -> LoadOperation {
        held ?? LoadOperation(load.request, callbacks: load.callbacks, trace: trace, shared: shared)
    }

    private func register(_ operation: LoadOperation, _ load: PlannedLoad) {
        shared.running.insert(operation)
        guard load.request.options.contains(.continueInBackground),
            let provider = load.settings.values.backgroundTasks
        else { return }
        operation.continueInBackground(by: provider)
    }

    /// The trace of the load, which has noted its beginning. One that begins again has it already.
    func trace(_ load: PlannedLoad, _ held: LoadOperation?) -> LoadTrace? {
        let (request, settings) = (load.request, load.settings)
        guard settings.hasListeners || !request.context.isEmpty else { return nil }
        if let trace = held?.trace { return trace }
        let listeners = settings.values.listeners + [request.context.listener].compactMap(\.self)
        guard
            let trace = LoadTrace(
                url: request.url ?? .noAddress, parent: load.callbacks.parent, listeners: listeners)
        else { return nil }
        trace.begin(.whole)
        held?.setTrace(trace)
        return trace
    }
}

// MARK: - Memory

extension LoadCore {
    func isInMemory(_ load: PlannedLoad) -> Bool {
        guard case .stages(let plan) = load.way else { return false }
        return imageFromMemory(by: plan) != nil
    }

    /// Asks memory for a load that may begin at once.
    func askMemory(for load: inout PlannedLoad) {
        load.memory = mainPlan(of: load).flatMap(imageFromMemory).map { .hit($0) } ?? .missed
    }

    /// Whether a load ends with the picture that memory has.
    func endsAtOnce(_ load: PlannedLoad) -> Bool {
        guard case .hit(let image) = load.memory, let plan = mainPlan(of: load) else { return false }
        return !plan.goesOn(after: image, at: shared.now())
    }

    /// The plan for the picture of the request, which a load that goes another way usually gets in the end, too.
    private func mainPlan(of load: PlannedLoad) -> LoadPlan? {
        switch load.way {
        case .stages(let plan): plan
        case .answered: nil
        case .takenOver, .previewed, .alternatives:
            load.request.url.map { plan($0, load.request, load.settings, load.callbacks) }
        }
    }

    private func image(of load: PlannedLoad, _ plan: LoadPlan, _ trace: LoadTrace?) -> Image? {
        guard plan.queriesMemory else { return nil }
        trace?.begin(.memory)
        let image: Image? =
            switch load.memory {
            case .notAsked: imageFromMemory(by: plan)
            case .missed: nil
            case .hit(let image): image
            }
        trace?.end(.memory, image.map { .done(byteCount: $0.memoryCost) } ?? .missed)
        return image
    }

    private func imageFromMemory(by plan: LoadPlan) -> Image? {
        guard plan.queriesMemory else { return nil }
        // A load that cannot ask the server has no use for a stale picture.
        return plan.mayLoad ? plan.imageFromMemory() : plan.freshImageFromMemory(at: shared.now())
    }
}

extension WebImageError {
    fileprivate static func blockedURL(_ url: URL, after failure: WebImageError) -> WebImageError {
        WebImageError(
            .blockedURL, stage: .request, kind: .policy,
            reason: "it failed before (\(failure.reason)); load it with retryFailed to try again", url: url,
            statusCode: failure.statusCode, underlying: failure)
    }
}
