import CGtk4
import Glibc
import WebImageGTK

/// The processor time of this process.
enum ProcessorTime {
    /// Seconds of all threads so far.
    static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// Runs the main loop, and returns what that takes.
    ///
    /// - Returns: Milliseconds of processor time per second: of all threads, and of this one.
    static func ofMainLoop(seconds duration: Double, each: () -> Void = {}) -> (all: Double, main: Double) {
        let end = ContinuousClock.now + .seconds(duration)
        // Wakes the loop at the end only: it is measured how seldom the loop wakes by itself.
        g_timeout_add_full(G_PRIORITY_LOW, guint(duration * 1000) + 1, { _ in 0 }, nil, nil)
        let (all, main) = (seconds, MainThreadTime.threadTime)
        while ContinuousClock.now < end {
            g_main_context_iteration(nil, 1)
            each()
        }
        return ((seconds - all) * 1000 / duration, Double(MainThreadTime.threadTime - main) / 1e6 / duration)
    }
}
