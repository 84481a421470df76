/// The progress of prefetching: of one call, or of all running calls.
public struct PrefetchProgress: Sendable, Equatable {
    /// The number of pictures that have ended, with or without success.
    public var finishedCount: Int
    /// The number of those that failed or were cancelled.
    public var skippedCount: Int
    /// The number of requested pictures.
    public var totalCount: Int

    /// A progress of `finishedCount` pictures, `skippedCount` of them without success, out of `totalCount`.
    package init(finishedCount: Int = 0, skippedCount: Int = 0, totalCount: Int = 0) {
        self.finishedCount = finishedCount
        self.skippedCount = skippedCount
        self.totalCount = totalCount
    }

    /// Whether every picture has ended.
    public var isFinished: Bool { finishedCount >= totalCount }

    /// 0 to 1; 1 when nothing was requested.
    public var fractionCompleted: Double {
        totalCount > 0 ? min(1, Double(finishedCount) / Double(totalCount)) : 1
    }

    mutating func add(_ other: PrefetchProgress) {
        finishedCount += other.finishedCount
        skippedCount += other.skippedCount
        totalCount += other.totalCount
    }

    mutating func subtract(_ other: PrefetchProgress) {
        finishedCount -= other.finishedCount
        skippedCount -= other.skippedCount
        totalCount -= other.totalCount
    }
}
