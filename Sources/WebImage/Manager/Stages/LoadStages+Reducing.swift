extension LoadStages {
    /// Makes the thumbnail, puts it into memory, and calls back on the decoding queue; with nil where that is
    /// impossible.
    func reduce(
        _ larger: LargerImage, priority: LoadPriority, completion: @escaping @Sendable (Image?) -> Void
    ) -> any CancellableTask {
        let work = { @Sendable in
            let image = larger.reduced()
            if let image, plan.storeTiers.contains(.memory) { plan.storeInMemory(image, at: larger.generation) }
            completion(image)
        }
        guard !plan.options.contains(.queryDiskDataSync) else {
            work()
            return EndedLoadTask()
        }
        return shared.queue.schedule(priority: priority, work)
    }
}
