// What a load reads and writes, for its stages and for its explanation alike.
extension LoadPlan {
    /// Whether the original's pixels in memory are of use: neither a thumbnail nor unusual pixels are decoded from pixels.
    var readsOriginalFromMemory: Bool {
        originalQueryTiers.contains(.memory) && !isThumbnail && keys.pixels.isEmpty
    }

    /// Whether a file may be read. The original of a picture that is its own original is read for what the server said
    /// with it, wherever the load may look.
    func reads(_ file: DiskFile) -> Bool {
        switch file {
        case .result: queryTiers.contains(.disk)
        case .original: (isDerived ? originalQueryTiers : originalQueryTiers.union(queryTiers)).contains(.disk)
        }
    }

    /// Whether a transformed picture's original goes into memory as well. The decoded picture is the original only where
    /// it has the original's size and the usual pixels.
    var storesOriginalInMemory: Bool {
        transformer != nil && originalStoreTiers.contains(.memory) && !isThumbnail && keys.hasUsualPixels
    }

    /// Whether a thumbnail or a transformed picture gets a file of its own.
    var storesResultOnDisk: Bool { isDerived && storeTiers.contains(.disk) }

    /// Whether the files that the load leaves on the disk can bring its picture back.
    var leavesFiles: Bool {
        storesResultOnDisk && reads(.result) || reads(.original) && !cachesOfOriginalFile.isEmpty
    }

    /// The caches that get the file as it came, each once.
    var cachesOfOriginalFile: [any ImageCaching] {
        var caches: [any ImageCaching] = []
        if originalStoreTiers.contains(.disk) { caches.append(originalCache) }
        if !isDerived, storeTiers.contains(.disk), caches.isEmpty || !hasOneCache { caches.append(cache) }
        return caches
    }

    /// Whether originals and finished pictures are known to go to the same cache.
    private var hasOneCache: Bool {
        context.originalImageCache == nil
            || CollaboratorIdentity(cache) == CollaboratorIdentity(originalCache)
    }
}
