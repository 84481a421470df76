import Glibc

/// Seconds of processor time that all threads of this process have taken so far.
func processorSeconds() -> Double { seconds(of: CLOCK_PROCESS_CPUTIME_ID) }

/// Seconds of processor time that `work`, which stays on this thread, takes: on a quiet machine the time that passes.
func threadSeconds(_ work: () -> Void) -> Double {
    let start = seconds(of: CLOCK_THREAD_CPUTIME_ID)
    work()
    return seconds(of: CLOCK_THREAD_CPUTIME_ID) - start
}

/// Milliseconds of processor time that `work` takes on all its threads: what counts where many pictures are decoded, and
/// what a machine that does other things at the same time changes little.
func processorMilliseconds(_ work: () throws -> Void) rethrows -> Double {
    let start = processorSeconds()
    try work()
    return (processorSeconds() - start) * 1e3
}

private func seconds(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
