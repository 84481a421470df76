import CLinux
import Glibc

/// Keeps the partial pictures of a file cheap: together they take a fifth of the time that reading the file does, at most;
/// but the first one is always made.
///
/// The processor's time counts, since a thread may wait long for a busy machine.
struct LookBudget {
    /// With the last part of the picture, which is the whole, all of them cost a quarter of a decode at most.
    private static let share = 0.2

    private let now: () -> Double
    private var readingTime = 0.0
    private var lookingTime = 0.0
    private var lastLookTime = 0.0

    /// - Parameter now: Seconds of work that this thread has done.
    init(now: @escaping () -> Double = LookBudget.threadTime) { self.now = now }

    /// Whether one more look, which will take as long as the last one, is within the budget.
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

    /// Seconds of work that the calling thread has done.
    static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
