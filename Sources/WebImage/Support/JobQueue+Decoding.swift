extension JobQueue {
    /// Decodes, transforms and encodes for all managers together: as many jobs at a time as there are processors.
    package static let decoding = JobQueue(label: "WebImage.decoding", limit: ProcessorCount.current)
}
