import Dispatch
import Synchronization
import WebImageCore

/// Divides the rows of a picture among the processors.
struct ParallelRows {
    private let height: Int
    private let stripHeight: Int

    /// Fewer pixels are not worth a second thread.
    private static let smallestShare = 1 << 16
    private static let usualStripsPerProcessor = 4
    /// A cancellation waits for the end of a strip.
    private static let largestStrip = 1 << 22

    init(size: PixelSize, stripHeight: Int? = nil) {
        height = size.height
        let available = IsolatedProcess.isCurrent ? 1 : ProcessorCount.current
        let processors = min(available, max(1, size.area / Self.smallestShare))
        let share = (height + processors - 1) / processors
        let part = processors == 1 ? height : (share + Self.usualStripsPerProcessor - 1) / Self.usualStripsPerProcessor
        let usual = min(part, max(1, Self.largestStrip / max(1, size.width)))
        self.stripHeight = max(1, min(stripHeight ?? usual, share))
    }

    /// Performs `work` for all strips, and returns whether it is true for all of them.
    ///
    /// - Throws: The first error of `work`, and ``WebImageError/Code/cancelled`` between strips.
    func allSatisfy(
        unless cancellation: CancellationFlag? = nil, _ work: (Range<Int>) throws(WebImageError) -> Bool
    ) throws(WebImageError) -> Bool {
        let outcome = Mutex<Result<Bool, WebImageError>>(.success(true))
        let count = (height + stripHeight - 1) / stripHeight
        withoutActuallyEscaping(work) { work in
            // Strips share nothing that changes, and all end before this call returns.
            nonisolated(unsafe) let work = work
            let perform: @Sendable (Int) -> Void = { index in
                guard outcome.withLock({ $0.isSuccess }) else { return }
                let rows = index * stripHeight..<min(height, (index + 1) * stripHeight)
                let result = Result { () throws(WebImageError) in
                    try cancellation?.check()
                    return try work(rows)
                }
                outcome.withLock { $0.combine(result) }
            }
            if count == 1 || IsolatedProcess.isCurrent {
                for index in 0..<count { perform(index) }
            } else {
                DispatchQueue.concurrentPerform(iterations: count, execute: perform)
            }
        }
        return try outcome.withLock { $0 }.get()
    }
}

extension Result<Bool, WebImageError> {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }

    fileprivate mutating func combine(_ other: Self) {
        switch (self, other) {
        case (.failure, _), (.success, .success(true)): break
        case (.success, _): self = other
        }
    }
}
