extension JobQueue {
    /// Decodes, transforms and encodes for all managers together: as many jobs at a time as there are processors.
    package static let decoding = JobQueue(label: "WebImage.decoding", limit: ProcessorCount.current)

    /// Decodes that cannot be interrupted: few at a time, so that those that take very long leave processors to others.
    package static let uninterruptible = JobQueue(
        label: "WebImage.uninterruptible", limit: max(1, ProcessorCount.current / 2))
}
