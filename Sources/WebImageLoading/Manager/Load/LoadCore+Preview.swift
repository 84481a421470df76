import FoundationEssentials
import WebImageCore

// Loads with a preview.
extension LoadCore {
    /// Loads the small picture and the large one; the large one alone where memory has it, or nobody sees the picture.
    func begin(_ load: PlannedLoad, _ pictures: PreviewedRequest, _ held: LoadOperation?) -> LoadOperation {
        let large = planned(pictures.large, load.settings, load.callbacks)
        guard !load.callbacks.goesToDisk, !pictures.larges.contains(where: { isInMemory($0, as: load) }) else {
            return begin(large, as: held)
        }
        let operation = run(large, trace(large, held), held)
        let both = PreviewedLoad(of: operation) { [self] in begin(planned($0, load.settings, $1)) }
        guard operation.wait(for: .interceptor(both)) else { return operation }
        begin(both, pictures, load)
        return operation
    }

    private func isInMemory(_ request: ImageRequest, as load: PlannedLoad) -> Bool {
        isInMemory(planned(request, load.settings, load.callbacks))
    }

    private func begin(_ both: PreviewedLoad, _ pictures: PreviewedRequest, _ load: PlannedLoad) {
        let callbacks = load.callbacks
        let beginBoth = { @Sendable (small: ImageRequest) in
            // In this order, so that the small picture gets a connection where there are few.
            both.start(.small, small, callbacks)
            both.start(.large, pictures.large, callbacks)
        }
        guard !isInMemory(pictures.small, as: load) else {
            // Before a placeholder is shown: none is needed.
            both.start(.small, pictures.small, callbacks)
            callbacks.memoryMissed?()
            return both.start(.large, pictures.large, callbacks)
        }
        callbacks.memoryMissed?()
        if pictures.looksOnDisk {
            findFile(of: pictures, load) { beginBoth($0 ? pictures.smallFromCaches : pictures.small) }
        } else if pictures.large.options.contains(.queryDiskDataSync) {
            both.start(.large, pictures.large, callbacks)
            both.start(.small, pictures.small, callbacks)
        } else {
            beginBoth(pictures.small)
        }
    }

    /// Whether a disk has the large picture.
    private func findFile(
        of pictures: PreviewedRequest, _ load: PlannedLoad, found: @escaping @Sendable (Bool) -> Void
    ) {
        let files = pictures.larges.flatMap { request in
            request.url.map { plan($0, request, load.settings, load.callbacks).filesOnDisk } ?? []
        }
        Self.find(files[...], found)
    }

    private static func find(
        _ files: ArraySlice<(cache: any ImageCaching, key: CacheKey)>, _ found: @escaping @Sendable (Bool) -> Void
    ) {
        guard let file = files.first else { return found(false) }
        file.cache.contains(file.key, in: .disk) { tier in
            if tier == .noCache { find(files.dropFirst(), found) } else { found(true) }
        }
    }
}

extension LoadPlan {
    /// The files that the load reads if they are there, with the caches that may have them.
    fileprivate var filesOnDisk: [(cache: any ImageCaching, key: CacheKey)] {
        var files: [(cache: any ImageCaching, key: CacheKey)] = []
        if queriesResultOnDisk { files.append((cache, keys.result)) }
        if queriesOriginal, reads(.original) { files.append((originalCache, keys.original)) }
        return files
    }
}
