import Dispatch
import FoundationEssentials

/// The last stage before the caller: puts what a load found into the tiers that its plan names.
struct ImageStore: Sendable {
    let plan: LoadPlan
    let queue: JobQueue

    /// Memory is written before this returns, and the disk later: once for all loads that share the decode. The
    /// completion comes when everything is written.
    func store(_ decoded: DecodedImage, _ encoded: EncodedImage, completion: @escaping @Sendable () -> Void) {
        guard !decoded.isStored else { return completion() }
        if plan.storeTiers.contains(.memory) { plan.cache.storeInMemory(decoded.image, for: plan.memoryKey) }
        let pending = DispatchGroup()
        if storesOriginal(encoded) {
            write(plan.originalKey, of: decoded, pending) { storeOriginal(encoded, done: $0) }
        }
        if storesDerived(encoded) {
            write(plan.resultKey, of: decoded, pending) { storeDerived(decoded.image, done: $0) }
        }
        guard plan.options.contains(.waitStoreCache) else { return completion() }
        pending.notify(queue: .global(), execute: completion)
    }

    private func write(
        _ key: CacheKey, of decoded: DecodedImage, _ pending: DispatchGroup,
        with write: (_ done: @escaping DecodedImage.Completion) -> Void
    ) {
        pending.enter()
        decoded.writeOnce(key, completion: { pending.leave() }, write: write)
    }

    /// Bytes that came from the disk are there already.
    private func storesOriginal(_ encoded: EncodedImage) -> Bool {
        let tiers = plan.isDerived ? plan.originalStoreTiers : plan.storeTiers
        return encoded.file == nil && tiers.contains(.disk)
    }

    private func storesDerived(_ encoded: EncodedImage) -> Bool {
        plan.isDerived && encoded.file != .result && plan.storeTiers.contains(.disk)
    }

    private func storeOriginal(_ encoded: EncodedImage, done: @escaping DecodedImage.Completion) {
        let entry = DiskCacheEntry(data: encoded.data, headers: encoded.http?.headers ?? [:])
        plan.cache.storeOnDisk(entry, for: plan.originalKey) { _ in done() }
    }

    private func storeDerived(_ image: Image, done: @escaping DecodedImage.Completion) {
        // Nobody looks at it before the next start of the program, unless somebody waits for it right now.
        let priority = plan.options.contains(.waitStoreCache) ? plan.request.priority : .low
        queue.submit(priority: priority) {
            guard let data = try? plan.coder.encode(image, to: format(for: image), options: plan.encodeOptions) else {
                return done()
            }
            plan.cache.storeOnDisk(DiskCacheEntry(data: data), for: plan.resultKey) { _ in done() }
        }
    }

    /// The format that the picture came in, where it can be written; otherwise one that keeps what it has.
    private func format(for image: Image) -> ImageFormat {
        let format = image.metadata.format
        if plan.coder.canEncode(format) { return format }
        return image.bitmap.isOpaque ? .jpeg : .png
    }
}
