import Glibc

/// Seconds of processor time of all threads of this process so far.
func processorSeconds() -> Double { seconds(of: CLOCK_PROCESS_CPUTIME_ID) }

/// Seconds of processor time of `work`, which stays on this thread; on an idle machine, the elapsed time.
func threadSeconds(_ work: () -> Void) -> Double {
    let start = seconds(of: CLOCK_THREAD_CPUTIME_ID)
    work()
    return seconds(of: CLOCK_THREAD_CPUTIME_ID) - start
}

/// Milliseconds of processor time of `work` on all its threads: the measure for many decodes in parallel, nearly
/// independent of other load on the machine.
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
