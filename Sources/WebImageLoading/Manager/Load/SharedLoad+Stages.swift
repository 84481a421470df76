import WebImageCore

// The work of each stage, and its results.
extension SharedLoad {
    func send(_ event: LoadStateMachine.Event) {
        let (action, waiting) = work.withLock { content in
            let waiting = isTraced ? content.subscribers.all : []
            // Under the lock, so that a load that joins gets the beginning of a stage before its end.
            for operation in waiting { operation.trace?.add(event) }
            return (content.state.machine.handle(event), waiting)
        }
        for operation in waiting { operation.trace?.flush() }
        perform(action)
    }

    func perform(_ action: LoadStateMachine.Action) {
        trace(action.stage)
        switch action {
        case .nothing: break
        case .both(let first, let second):
            perform(first)
            perform(second)
        case .queryDisk(let file):
            queryDisk(file)
        case .readFile(let file):
            // Only the bytes of a picture that is already found are worth blocking the caller for.
            let isInline = file == .result && plan.options.contains(.queryMemoryDataSync)
            work.run { stages.read(file, isInline: isInline, priority: $0) { self.send(.diskAnswered($0)) } }
        case .load(let cached):
            load(cached)
        case .stopLoading:
            work.cancelTask()
        case .decode(let encoded):
            work.run { stages.decoding.decode(encoded, priority: $0) { self.send(.decoded($0)) } }
        case .transform(let decoded, let encoded):
            work.run { stages.transforming.transform(decoded, encoded, priority: $0) { self.send(.transformed($0)) } }
        case .removeFromDisk(let file):
            stages.removeFromDisk(file)
        case .freshen(let cached, let answer):
            stages.freshen(cached, answer) { self.send(.freshened($0)) }
        case .store(let finished, let encoded):
            stages.storing.store(finished, encoded) { self.send(.stored(finished.image)) }
        case .tell(let update):
            tell(update)
        case .end(let ending):
            end(ending)
        case .stop:
            release()
        }
    }

    private func trace(_ stage: LoadTrace.Stage?) {
        guard isTraced, let stage else { return }
        for operation in work.withLock({ $0.subscribers.all }) { operation.trace?.begin(stage) }
    }

    private func queryDisk(_ file: DiskFile) {
        if file == .original {
            if let original = stages.originalFromMemory() { return send(.originalFound(original)) }
            guard plan.originalQueryTiers.contains(.disk) else { return send(.diskAnswered(nil)) }
        }
        let isInline = plan.options.contains(.queryDiskDataSync)
        work.run { stages.read(file, isInline: isInline, priority: $0) { self.send(.diskAnswered($0)) } }
    }

    private func load(_ cached: CachedPicture?) {
        // Another load may have ended while this one read a file. A load that refreshes has delivered the cached
        // picture, and asks the server in any case.
        if cached == nil, !plan.refreshes, plan.queriesMemory,
            let image = plan.freshImageFromMemory(at: stages.shared.now())
        {
            return send(.foundMeanwhile(image))
        }
        if let refusal = stages.refusal() { return send(.refused(refusal)) }
        trace(.load)
        work.run { priority in
            stages.load(
                cached, priority: priority, progress: { self.report($0) }, partial: { self.tell(part: $0) },
                preview: { self.send(.previewed(DecodedImage($0), byteCount: self.receivedByteCount)) },
                completion: { self.send(.loaded($0)) })
        }
    }

    private var receivedByteCount: Int { work.withLock { $0.state.latest.progress?.receivedByteCount ?? 0 } }
}
