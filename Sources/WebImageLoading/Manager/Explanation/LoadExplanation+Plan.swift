import WebImageCache
import WebImageCoders
import WebImageCore
import WebImageHTTP

extension LoadExplanation {
    /// Adds the effects of `plan`.
    ///
    /// - Parameter stages: The stages of that load; only asked whether it may load.
    mutating func follow(_ plan: LoadPlan, _ stages: LoadStages) {
        let road = LoadRoad(plan)
        reads = Self.reads(of: plan, road)
        if road.loads {
            // A picture that is made from its original is not refreshed.
            let refreshes = plan.refreshes && reads.contains { $0.picture == .result }
            loading = Loading(plan, refreshes: refreshes, refusal: stages.refusal())
        }
        guard loading != nil || reads.contains(where: { $0.tier == .disk || $0.picture == .original }) else { return }
        decoding = Decoding(plan)
        transformerKey = plan.transformer?.transformerKey
        if loading != nil, loading?.refusal == nil { writes = Self.writes(of: plan) }
    }

    private static func reads(of plan: LoadPlan, _ road: LoadRoad) -> [Access] {
        var reads: [Access] = []
        if plan.queriesMemory {
            let isFound = plan.imageFromMemory() != nil
            reads.append(Access(.memory, .result, plan.keys.animation ?? plan.keys.memory, plan.cache, isFound))
        }
        for file in road.files {
            if file == .result { reads.append(Access(.disk, .result, plan.keys.result, plan.cache)) }
            guard file == .original else { continue }
            let (key, cache) = (plan.keys.original, plan.originalCache)
            if plan.readsOriginalFromMemory {
                reads.append(Access(.memory, .original, key, cache, plan.imageFromMemory(of: cache, for: key) != nil))
            }
            if plan.reads(.original) { reads.append(Access(.disk, .original, key, cache)) }
        }
        return reads
    }

    private static func writes(of plan: LoadPlan) -> [Access] {
        let keys = plan.keys
        var writes: [Access] = []
        if plan.storeTiers.contains(.memory) {
            writes.append(Access(.memory, .result, keys.animation ?? keys.memory, plan.cache))
        }
        if plan.storesOriginalInMemory {
            writes.append(Access(.memory, .original, keys.original, plan.originalCache))
        }
        writes += plan.cachesOfOriginalFile.map { Access(.disk, .original, keys.original, $0).limited(by: $0) }
        if plan.storesResultOnDisk {
            writes.append(Access(.disk, .result, keys.result, plan.cache).limited(by: plan.cache))
        }
        return writes
    }
}

/// The stages of a load that finds its picture in no cache, as decided by the state machine of loads.
private struct LoadRoad {
    /// The files that it reads.
    private(set) var files: [DiskFile] = []
    /// Whether it reaches its loader.
    private(set) var loads = false

    init(_ plan: LoadPlan) {
        var machine = LoadStateMachine(plan: plan)
        var action = machine.handle(.started(inMemory: nil))
        while case .queryDisk(let file) = action {
            files.append(file)
            action = machine.handle(.diskAnswered(nil))
        }
        if case .load = action { loads = true }
    }
}

extension LoadExplanation.Keys {
    init(_ keys: LoadKeys) {
        self.init(original: keys.original, result: keys.result, memory: keys.animation ?? keys.memory)
    }
}

extension LoadExplanation.Access {
    fileprivate init(
        _ tier: ImageCacheType, _ picture: Picture, _ key: CacheKey, _ cache: any ImageCaching, _ isFound: Bool? = nil
    ) {
        self.init(tier: tier, picture: picture, key: key, cache: "\(type(of: cache))", isFound: isFound)
    }

    fileprivate func limited(by cache: any ImageCaching) -> Self {
        var access = self
        access.limit = ((cache as? ImageCache)?.diskCache as? DiskCache)?.largestBody
        return access
    }
}

extension LoadExplanation.Loading {
    fileprivate init(_ plan: LoadPlan, refreshes: Bool, refusal: WebImageError?) {
        var loader: (any ImageLoader)? = plan.loader
        while let manager = loader as? ImageLoadersManager { loader = manager.loader(for: plan.url) }
        self.init(
            loader: loader.map { "\(type(of: $0))" },
            request: ImageLoadRequest(plan: plan, cached: nil, priority: plan.priority), refusal: refusal,
            refreshes: refreshes, isProgressive: plan.showsParts && plan.progressiveCoder != nil,
            stopsEarly: plan.mayStopEarly && plan.progressiveCoder != nil,
            deniesPrivateAddresses: (loader as? WebImageDownloader)?.config.deniesPrivateAddresses ?? false)
    }
}

extension LoadExplanation.Decoding {
    fileprivate init(_ plan: LoadPlan) {
        var options = plan.decodeOptions
        options.formatHint = plan.formatHint
        self.init(
            coder: "\(type(of: plan.coder))", options: options,
            animatedClass: plan.animatedClass.map { "\($0)" })
    }
}
