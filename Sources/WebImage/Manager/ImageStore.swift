import Dispatch
import FoundationEssentials

/// The last stage before the caller: puts what a load found into the tiers that its plan names.
struct ImageStore: Sendable {
    let plan: LoadPlan
    let queue: JobQueue

    /// Memory is written before this returns; disk later. The completion comes when everything is written.
    func store(_ image: Image, _ encoded: EncodedImage, completion: @escaping @Sendable () -> Void) {
        if plan.storeTiers.contains(.memory) { plan.cache.storeInMemory(image, for: plan.memoryKey) }
        let pending = DispatchGroup()
        if storesOriginal(encoded) { storeOriginal(encoded, pending) }
        if storesDerived(encoded) { storeDerived(image, pending) }
        pending.notify(queue: .global(), execute: completion)
    }

    /// Bytes that came from the disk are there already.
    private func storesOriginal(_ encoded: EncodedImage) -> Bool {
        let tiers = plan.isDerived ? plan.originalStoreTiers : plan.storeTiers
        return encoded.file == nil && tiers.contains(.disk)
    }

    private func storesDerived(_ encoded: EncodedImage) -> Bool {
        plan.isDerived && encoded.file != .result && plan.storeTiers.contains(.disk)
    }

    private func storeOriginal(_ encoded: EncodedImage, _ pending: DispatchGroup) {
        let entry = DiskCacheEntry(data: encoded.data, headers: encoded.http?.headers ?? [:])
        pending.enter()
        plan.cache.storeOnDisk(entry, for: plan.originalKey) { _ in pending.leave() }
    }

    private func storeDerived(_ image: Image, _ pending: DispatchGroup) {
        pending.enter()
        queue.submit(priority: .low) {
            guard let data = try? plan.coder.encode(image, to: format(for: image), options: plan.encodeOptions) else {
                return pending.leave()
            }
            plan.cache.storeOnDisk(DiskCacheEntry(data: data), for: plan.resultKey) { _ in pending.leave() }
        }
    }

    /// The format that the picture came in, where it can be written; otherwise one that keeps what it has.
    private func format(for image: Image) -> ImageFormat {
        let format = image.metadata.format
        if plan.coder.canEncode(format) { return format }
        return image.bitmap.isOpaque ? .jpeg : .png
    }
}
