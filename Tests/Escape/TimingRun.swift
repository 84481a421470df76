import Glibc
import WebImageSandbox

/// How long it takes from the fork in a zygote to the first answer of a worker that is locked in.
struct TimingRun {
    let level: EscapeLevel
    /// All namespaces are made for each worker, and none by the zygote.
    let separatesEach: Bool

    func run(_ count: Int) {
        let zygote = separatesEach ? nil : SandboxedZygote.separate(level.policy.measures)
        var measures = level.policy.measures.intersection(.namespaces)
        if !separatesEach { measures.formIntersection([.userNamespace, .processNamespace]) }
        let times = (0..<count).compactMap { _ in duration(zygote, measures) }.sorted()
        let name = separatesEach ? "\(level), all namespaces each" : "\(level)"
        guard !times.isEmpty else { return Worker.say(name, "nothing") }
        // A busy machine adds to all but the fastest.
        let (least, median) = (times[times.count / 10] / 1000, times[times.count / 2] / 1000)
        Worker.say(name, "\(median) µs at the median, 10 % below \(least) µs")
    }

    /// In nanoseconds.
    private func duration(_ zygote: SandboxedZygote?, _ measures: SandboxLevel) -> Int64? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        let start = ContinuousClock.now
        guard let fork = try? SandboxedFork.make(measures, from: zygote?.level ?? []) else { return nil }
        guard case .parent(let process) = fork else {
            guard case .worker(let level) = fork else { _exit(1) }
            var policy = self.level.policy
            policy.connection = ends[1]
            _ = try? Sandbox.enter(policy, from: level, root: zygote?.root)
            Worker.write("+", to: ends[1])
            _exit(0)
        }
        close(ends[1])
        var byte: UInt8 = 0
        let isAnswered = read(ends[0], &byte, 1) == 1
        let time = ContinuousClock.now - start
        close(ends[0])
        waitpid(process, nil, 0)
        return isAnswered ? time.components.attoseconds / 1_000_000_000 : nil
    }

}
