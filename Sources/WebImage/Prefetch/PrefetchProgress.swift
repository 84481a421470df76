/// How far prefetching has come: of one call, or of all calls under way.
public struct PrefetchProgress: Sendable, Hashable {
    /// Pictures that have ended, in whatever way.
    public var finishedCount: Int
    /// Those among them that did not come: they failed or were cancelled.
    public var skippedCount: Int
    /// Pictures asked for.
    public var totalCount: Int

    /// Progress of `finishedCount` pictures, `skippedCount` of them without success, out of `totalCount`.
    public init(finishedCount: Int = 0, skippedCount: Int = 0, totalCount: Int = 0) {
        self.finishedCount = finishedCount
        self.skippedCount = skippedCount
        self.totalCount = totalCount
    }

    /// Whether every picture has ended.
    public var isFinished: Bool { finishedCount >= totalCount }

    /// 0 to 1; 1 when nothing was asked for.
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
