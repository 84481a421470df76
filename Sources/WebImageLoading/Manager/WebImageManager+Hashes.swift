import FoundationEssentials
import WebImageCore
import WebImagePixels

extension WebImageManager {
    /// Looks on the disk for the hash of a load's picture: that of its original, or else of its own file.
    ///
    /// - Parameter found: Called once where there is one that the load may see, on the cache's executor.
    package func queryThumbHash(for request: ImageRequest, found: @escaping @Sendable (ThumbHash) -> Void) {
        guard let plan = plan(of: request) else { return }
        let files = (plan.isDerived ? [DiskFile.original, .result] : [.result]).filter(plan.reads)
        Self.queryThumbHash(in: files[...], of: plan, found: found)
    }

    private static func queryThumbHash(
        in files: ArraySlice<DiskFile>, of plan: LoadPlan, found: @escaping @Sendable (ThumbHash) -> Void
    ) {
        guard let file = files.first else { return }
        let key = file == .original ? plan.keys.original : plan.keys.result
        plan.cache(of: file).queryHead(for: key) { head in
            if let head, plan.maySee(head.rights), let hash = head.thumbHash { return found(hash) }
            queryThumbHash(in: files.dropFirst(), of: plan, found: found)
        }
    }
}
