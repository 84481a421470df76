import CLinux
import Glibc
import WebImageCore

/// Limits the cost of a file's partial pictures: together they take at most a fifth of the time for reading the file,
/// but the first one is always made.
///
/// Processor time counts, since a thread may wait long on a busy machine.
struct LookBudget {
    /// With the complete picture, which is the last look, all of them cost at most a quarter of a decode.
    private static let share = 0.2

    private let now: () -> Double
    private var readingTime = 0.0
    private var lookingTime = 0.0
    private var lastLookTime = 0.0

    /// - Parameter now: The processor time of this thread in seconds.
    init(now: @escaping () -> Double = LookBudget.threadTime) { self.now = now }

    /// Whether one more look, assumed to take as long as the last one, is within the budget.
    var allowsLook: Bool { lookingTime == 0 || lookingTime + lastLookTime <= Self.share * readingTime }

    mutating func read<Result>(_ work: () throws(WebImageError) -> Result) throws(WebImageError) -> Result {
        let start = now()
        defer { readingTime += now() - start }
        return try work()
    }

    mutating func look<Result>(_ work: () throws(WebImageError) -> Result) throws(WebImageError) -> Result {
        let start = now()
        defer {
            lastLookTime = now() - start
            lookingTime += lastLookTime
        }
        return try work()
    }

    /// The processor time of the calling thread in seconds.
    static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
