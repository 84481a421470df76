import FoundationEssentials

/// Starts loads. A value of its own beside the manager, so that a load that is under way needs no manager.
struct LoadCore: Sendable {
    let defaults: LoadDefaults
    let shared: SharedStages
    /// Measures the time that interceptors take.
    let clock: any Clock<Duration>
    /// Runs their functions; nil takes Swift's own.
    let taskExecutor: (any TaskExecutor)?

    /// Starts the load of `request`, whose address is nil or wrong for `invalid`'s reason.
    func start(
        _ request: ImageRequest, invalid: WebImageError? = nil, settings: LoadSettings, callbacks: LoadCallbacks
    ) -> LoadOperation {
        if let invalid { return refuse(request, invalid, settings, callbacks) }
        let chain = settings.values.chain
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
                let operation = operation(request, settings, callbacks)
                operation.send(.answered(outcome))
                return operation
            case .around(let body):
                let rest = chain[(index + 1)...]
                return takeOver(request, settings, callbacks, body: body, rest: rest)
            }
        }
        return load(request, settings, callbacks)
    }

    private func load(_ request: ImageRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks) -> LoadOperation {
        if let refusal = refusal(of: request) { return refuse(request, refusal, settings, callbacks) }
        // Only now: whatever stands around the load must see, and may change, what it is really for.
        let request = callbacks.goesToDisk ? request.broughtToDisk(by: plan(request, callbacks)) : request
        let operation = operation(request, settings, callbacks)
        let image = imageFromMemory(for: operation)
        // What ends before this returns needs nobody to keep it.
        if image == nil || !operation.endsAtOnceFromMemory { shared.running.insert(operation) }
        continueInBackground(operation, settings)
        operation.send(.started(inMemory: image))
        return operation
    }

    /// Why a load may not even begin; nil when it may.
    func refusal(of request: ImageRequest) -> WebImageError? {
        guard let url = request.url, !url.absoluteString.isEmpty else { return .noURL }
        let isRefused = !request.options.contains(.retryFailed) && shared.failedURLs.contains(url)
        return isRefused ? .blackListed(url) : nil
    }

    private func refuse(
        _ request: ImageRequest, _ error: WebImageError, _ settings: LoadSettings, _ callbacks: LoadCallbacks
    ) -> LoadOperation {
        let operation = operation(request, settings, callbacks)
        operation.send(.answered(.failure(error)))
        return operation
    }

    private func takeOver(
        _ request: ImageRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks,
        body: @escaping InterceptedLoad.Body, rest: ArraySlice<any LoadInterceptor>
    ) -> LoadOperation {
        let operation = operation(request, settings, callbacks) { outer in
            let load = InterceptedLoad(
                request, of: outer, timeout: settings.values.interceptorTimeout, clock: clock,
                taskExecutor: taskExecutor
            ) { request, inner in
                var inner = inner
                inner.goesToDisk = callbacks.goesToDisk
                return start(request, chain: rest, settings: settings, callbacks: inner)
            }
            load.start(body)
            return load
        }
        shared.running.insert(operation)
        continueInBackground(operation, settings)
        operation.send(.intercepted)
        return operation
    }

    private func operation(
        _ request: ImageRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks,
        takeover: LoadOperation.Takeover? = nil
    ) -> LoadOperation {
        let plan = plan(request, callbacks)
        let stages = LoadStages(plan: plan, shared: shared, settings: settings)
        return LoadOperation(
            url: callbacks.requestedURL ?? request.url, stages: stages, trace: trace(plan, settings, callbacks),
            callbacks: callbacks, takeover: takeover)
    }

    private func trace(_ plan: LoadPlan, _ settings: LoadSettings, _ callbacks: LoadCallbacks) -> LoadTrace? {
        let own = plan.context.listener
        guard own != nil || !settings.values.listeners.isEmpty else { return nil }
        let listeners = settings.values.listeners + [own].compactMap(\.self)
        return LoadTrace(url: plan.url, parent: callbacks.parent, listeners: listeners)
    }

    private func plan(_ request: ImageRequest, _ callbacks: LoadCallbacks) -> LoadPlan {
        LoadPlan(
            url: request.url ?? .noAddress, requestedURL: callbacks.requestedURL, request: request, defaults: defaults)
    }

    private func imageFromMemory(for operation: LoadOperation) -> Image? {
        guard operation.plan.queriesMemory else { return nil }
        operation.trace?.begin(.memory)
        let image = operation.plan.imageFromMemory()
        operation.trace?.end(.memory, image.map { .done(byteCount: $0.memoryCost) } ?? .missed)
        return image
    }

    private func continueInBackground(_ operation: LoadOperation, _ settings: LoadSettings) {
        guard operation.plan.options.contains(.continueInBackground),
            let provider = settings.values.backgroundTasks
        else { return }
        operation.continueInBackground(by: provider)
    }
}

extension URL {
    /// Stands for "no URL" in a load that fails at once.
    fileprivate static var noAddress: URL { URL(filePath: "/") }
}

extension WebImageError {
    fileprivate static func blackListed(_ url: URL) -> WebImageError {
        WebImageError(
            .blackListed, stage: .request, kind: .policy,
            reason: "it failed before; load it with retryFailed to try again", url: url)
    }
}
