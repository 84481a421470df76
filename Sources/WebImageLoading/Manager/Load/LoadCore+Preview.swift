import FoundationEssentials
import WebImageCore

// Loads with a preview.
extension LoadCore {
    /// Loads the small picture and the large one; the large one alone where memory has it, or nobody sees the picture.
    func load(
        _ pictures: PreviewedRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks
    ) -> LoadOperation {
        guard !callbacks.goesToDisk, !pictures.larges.contains(where: { isInMemory($0, settings, callbacks) }) else {
            return load(pictures.large, settings, callbacks)
        }
        let operation = operation(pictures.large, settings, callbacks)
        begin(operation, settings, pictures.large.options)
        let both = PreviewedLoad(of: operation) { [self] in load($0, settings, $1) }
        guard operation.wait(for: .interceptor(both)) else { return operation }
        begin(both, pictures, settings, callbacks)
        return operation
    }

    private func begin(
        _ load: PreviewedLoad, _ pictures: PreviewedRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks
    ) {
        let beginBoth = { @Sendable (small: ImageRequest) in
            // In this order, so that the small picture gets a connection where there are few.
            load.start(.small, small, callbacks)
            load.start(.large, pictures.large, callbacks)
        }
        guard !isInMemory(pictures.small, settings, callbacks) else {
            // Before a placeholder is shown: none is needed.
            load.start(.small, pictures.small, callbacks)
            callbacks.memoryMissed?()
            return load.start(.large, pictures.large, callbacks)
        }
        callbacks.memoryMissed?()
        if pictures.looksOnDisk {
            findFile(of: pictures, settings, callbacks) { beginBoth($0 ? pictures.smallFromCaches : pictures.small) }
        } else if pictures.large.options.contains(.queryDiskDataSync) {
            load.start(.large, pictures.large, callbacks)
            load.start(.small, pictures.small, callbacks)
        } else {
            beginBoth(pictures.small)
        }
    }

    /// Whether a disk has the large picture.
    private func findFile(
        of pictures: PreviewedRequest, _ settings: LoadSettings, _ callbacks: LoadCallbacks,
        found: @escaping @Sendable (Bool) -> Void
    ) {
        let files = pictures.larges.flatMap { request in
            request.url.map { plan($0, request, settings, callbacks).filesOnDisk } ?? []
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
