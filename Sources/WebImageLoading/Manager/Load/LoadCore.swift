import FoundationEssentials
import WebImageCore
import WebImageHTTP

/// Starts loads. Separate from the manager, so that a running load does not need the manager.
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

    /// Starts the load of `request`, whose address is nil or wrong for `invalid`'s reason.
    func start(
        _ request: ImageRequest, invalid: WebImageError? = nil, settings: LoadSettings, callbacks: LoadCallbacks
    ) -> LoadOperation {
        if let invalid { return answer(request, .failure(invalid), settings, callbacks) }
        let chain = settings.chain
        guard !chain.isEmpty else { return load(settings.filling(request), settings, callbacks) }
        var callbacks = callbacks
        callbacks.requestedURL = request.url
        return start(settings.filling(request), chain: chain[...], settings: settings, callbacks: callbacks)
    }

    /// Starts the load of a request that the interceptors before `chain` have seen.
    private func start(
        _ request: ImageRequest, chain: ArraySlice<any LoadInterceptor>, settings: LoadSettings,
        callbacks: LoadCallbacks
    ) -> LoadOperation {
        var request = request
        for (index, interceptor) in zip(chain.indices, chain) {
            switch interceptor.intercept(request) {
            case .proceed(let changed):
                request = changed
            case .finish(let outcome):
                return answer(request, outcome, settings, callbacks)
            case .around(let body):
                let rest = chain[(index + 1)...]
                return takeOver(request, settings, callbacks, body: body, rest: rest)
            }
        }
        return load(request, settings, callbacks)
    }

    func load(_ request: ImageRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks) -> LoadOperation {
        if let pictures = PreviewedRequest(request) { return load(pictures, settings, callbacks) }
        if let sources = AlternativeSources(request) { return load(request, sources, settings, callbacks) }
        guard let url = request.url, !url.absoluteString.isEmpty else {
            return answer(request, .failure(.noURL), settings, callbacks)
        }
        if let refusal = refusal(of: url, request.options) {
            return answer(request, .failure(refusal), settings, callbacks)
        }
        // Only now: whatever stands around the load must see, and may change, what it is really for.
        let request =
            callbacks.goesToDisk ? request.broughtToDisk(by: plan(url, request, settings, callbacks)) : request
        // A URL takes its time to hash: where nothing is under way, memory is asked first.
        let key = loads.isEmpty ? nil : key(of: request, settings, callbacks)
        let plan = key.flatMap { loads[$0] }?.plan ?? plan(url, request, settings, callbacks)
        let trace = trace(request, settings, callbacks)
        let image = imageFromMemory(by: plan, trace)
        if let image, !plan.goesOn(after: image, at: shared.now()) {
            return answer(request, image, plan, trace, settings, callbacks)
        }
        let operation = LoadOperation(request, callbacks: callbacks, trace: trace, shared: shared)
        begin(operation, settings, request.options)
        guard image == nil else {
            // A picture in memory concerns only this load.
            travel(operation, plan, nil, settings, image)
            return operation
        }
        callbacks.memoryMissed?()
        travel(operation, plan, key ?? self.key(of: request, settings, callbacks), settings, nil)
        return operation
    }

    /// Loads the first of several addresses whose picture is in memory, or else tries them all.
    private func load(
        _ request: ImageRequest, _ sources: AlternativeSources, _ settings: LoadSettings, _ callbacks: LoadCallbacks
    ) -> LoadOperation {
        var callbacks = callbacks
        callbacks.requestedURL = callbacks.requestedURL ?? request.url
        if let inMemory = sources.requests.first(where: { isInMemory($0, settings, callbacks) }) {
            return load(inMemory, settings, callbacks)
        }
        callbacks.memoryMissed?()
        return takeOver(request, settings, callbacks, body: sources.load, rest: [])
    }

    func isInMemory(_ request: ImageRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks) -> Bool {
        guard let url = request.url else { return false }
        return imageFromMemory(by: plan(url, request, settings, callbacks), nil) != nil
    }

    /// Ends a load with the picture from memory.
    private func answer(
        _ request: ImageRequest, _ image: Image, _ plan: LoadPlan, _ trace: LoadTrace?, _ settings: LoadSettings,
        _ callbacks: LoadCallbacks
    ) -> LoadOperation {
        if plan.options.contains(.retryFailed) { shared.failedURLs.remove(plan.url) }
        let answer = plan.answer(of: image.origin.record, at: shared.now())
        var result = LoadResult(image: image, cacheType: .memory, url: plan.requestedURL, http: answer.response)
        result.isStale = answer.isStale
        let outcome = LoadStateMachine.Outcome.success(result)
        let isToldNow = callbacks.queue(for: request).isCurrent
        // A load that ends before this returns need not be retained, and without a trace its events are in order.
        if isToldNow, trace == nil, !plan.options.contains(.continueInBackground) {
            callbacks.completed?(outcome)
            return LoadOperation(request, callbacks: callbacks, told: LoadEnding(outcome), shared: shared)
        }
        let operation = LoadOperation(request, callbacks: callbacks, trace: trace, shared: shared)
        if !isToldNow || plan.options.contains(.continueInBackground) { begin(operation, settings, request.options) }
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

    private func answer(
        _ request: ImageRequest, _ outcome: LoadStateMachine.Outcome, _ settings: LoadSettings,
        _ callbacks: LoadCallbacks
    ) -> LoadOperation {
        let operation = operation(request, settings, callbacks)
        operation.finish(LoadEnding(outcome))
        return operation
    }

    private func takeOver(
        _ request: ImageRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks,
        body: @escaping InterceptedLoad.Body, rest: ArraySlice<any LoadInterceptor>
    ) -> LoadOperation {
        let operation = operation(request, settings, callbacks)
        begin(operation, settings, request.options)
        let load = InterceptedLoad(
            request, of: operation, timeout: settings.values.interceptorTimeout, clock: clock,
            taskExecutor: taskExecutor
        ) { [self] request, inner in
            var inner = inner
            inner.goesToDisk = callbacks.goesToDisk
            return start(request, chain: rest, settings: settings, callbacks: inner)
        }
        guard operation.wait(for: .interceptor(load)) else { return operation }
        operation.trace?.begin(.intercept)
        load.start(body)
        return operation
    }

    func operation(
        _ request: ImageRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks
    ) -> LoadOperation {
        LoadOperation(request, callbacks: callbacks, trace: trace(request, settings, callbacks), shared: shared)
    }

    private func trace(_ request: ImageRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks) -> LoadTrace? {
        guard settings.hasListeners || !request.context.isEmpty else { return nil }
        let listeners = settings.values.listeners + [request.context.listener].compactMap(\.self)
        let trace = LoadTrace(url: request.url ?? .noAddress, parent: callbacks.parent, listeners: listeners)
        trace?.begin(.whole)
        return trace
    }

    func plan(
        _ url: URL, _ request: ImageRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks
    ) -> LoadPlan {
        LoadPlan(
            url: url, requestedURL: callbacks.requestedURL, request: request, defaults: defaults,
            isOffline: settings.values.isOffline)
    }

    private func imageFromMemory(by plan: LoadPlan, _ trace: LoadTrace?) -> Image? {
        guard plan.queriesMemory else { return nil }
        trace?.begin(.memory)
        // A load that cannot ask the server has no use for a stale picture.
        let image = plan.mayLoad ? plan.imageFromMemory() : plan.freshImageFromMemory(at: shared.now())
        trace?.end(.memory, image.map { .done(byteCount: $0.memoryCost) } ?? .missed)
        return image
    }

    /// Registers the load as running.
    func begin(_ operation: LoadOperation, _ settings: LoadSettings, _ options: WebImageOptions) {
        shared.running.insert(operation)
        guard options.contains(.continueInBackground), let provider = settings.values.backgroundTasks else { return }
        operation.continueInBackground(by: provider)
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
