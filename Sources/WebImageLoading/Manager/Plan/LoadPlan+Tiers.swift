import WebImageCore

// The tiers that a load reads and writes, for its stages and for its explanation.
extension LoadPlan {
    /// Whether the original's pixels in memory are of use: thumbnails and unusual pixels are not decoded from pixels.
    var readsOriginalFromMemory: Bool {
        originalQueryTiers.contains(.memory) && !isThumbnail && keys.pixels.isEmpty && !followsServer
    }

    /// Whether a file may be read. Where the original is the finished picture, it is read for its stored fields in any
    /// case.
    func reads(_ file: DiskFile) -> Bool {
        switch file {
        case .result: queryTiers.contains(.disk)
        case .original: (isDerived ? originalQueryTiers : originalQueryTiers.union(queryTiers)).contains(.disk)
        }
    }

    /// Whether a transformed picture's original also goes into memory. The decoded picture is the original only where
    /// it has the original's size and the usual pixels.
    var storesOriginalInMemory: Bool {
        transformer != nil && originalStoreTiers.contains(.memory) && !isThumbnail && keys.hasUsualPixels
    }

    /// Whether a thumbnail or a transformed picture is stored in a file of its own.
    var storesResultOnDisk: Bool {
        isDerived && storeTiers.contains(.disk) && (!followsServer || reads(.original) && requestedRange == nil)
    }

    /// Whether a thumbnail or a transformed picture is read from its own file where that was made of the original on the
    /// disk, whose fields decide.
    var readsResultOfOriginal: Bool {
        isDerived && followsServer && queriesCaches && reads(.result) && !requiresAnimatedClass && requestedRange == nil
    }

    /// Whether the picture can be restored from the files that the load writes.
    package var leavesFiles: Bool {
        storesResultOnDisk && reads(.result) && !followsServer || reads(.original) && !cachesOfOriginalFile.isEmpty
    }

    /// The caches that get the original file, each once.
    var cachesOfOriginalFile: [any ImageCaching] {
        var caches: [any ImageCaching] = []
        if originalStoreTiers.contains(.disk) { caches.append(originalCache) }
        if !isDerived, storeTiers.contains(.disk), caches.isEmpty || !hasOneCache { caches.append(cache) }
        return caches
    }

    /// Whether originals and finished pictures certainly go to the same cache.
    private var hasOneCache: Bool {
        context.originalCache == nil
            || CollaboratorIdentity(cache) == CollaboratorIdentity(originalCache)
    }
}
