extension JobQueue {
    /// Decoding, transforming and encoding of all managers together: as many at a time as there are processors.
    package static let decoding = JobQueue(label: "WebImage.decoding", limit: ProcessorCount.current)
}
