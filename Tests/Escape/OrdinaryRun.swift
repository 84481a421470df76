import Glibc
import Synchronization
import WebImageSandbox

/// The work of decoders besides decoding. A line for each: its name, and `done` or the fault.
struct OrdinaryRun {
    let level: EscapeLevel

    func run() {
        for (name, work) in Self.works {
            let (answer, ending) = Worker(policy: level.policy).run { _, answers in
                Worker.write(work() ? "done" : "failed", to: answers)
            }
            Worker.say(name, ending == .exit(0) ? answer : "\(ending)")
        }
        Worker.say("end with the zygote", endWithZygote())
        Worker.say("requirement", requireAll())
    }

    private static let works: [(String, @Sendable () -> Bool)] = [
        ("memory", useMemory), ("time", tellTime), ("random", { UInt64.random(in: 0...(.max)) != 0 }),
        ("messages", { write(STDERR_FILENO, "\n", 1) == 1 }), ("thread", startThread), ("lock", lock),
        ("processors", { sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 0 && sysconf(Int32(_SC_PHYS_PAGES)) > 0 }),
        ("environment", { getenv("PATH") == nil }),
        ("descriptors", { (3..<1000).count { fcntl($0, F_GETFL) >= 0 } == 1 }),
    ]

    /// A worker that would wait without end.
    private func endWithZygote() -> String {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return "no pipe" }
        defer { for end in ends { close(end) } }
        let worker = Worker(policy: level.policy, kept: ends).start { _, answers in
            Worker.write("+", to: answers)
            var byte: UInt8 = 0
            _ = read(ends[0], &byte, 1)
        }
        guard let (zygote, answers) = worker else { return "not started" }
        defer { close(answers) }
        var byte: UInt8 = 0
        guard read(answers, &byte, 1) == 1 else { return "no answer" }
        kill(zygote, SIGKILL)
        waitpid(zygote, nil, 0)
        return read(answers, &byte, 1) == 0 ? "done" : "it goes on"
    }

    private func requireAll() -> String {
        var policy = level.policy
        policy.required = .all
        return Worker(policy: policy).run { Worker.write("\($0)", to: $1) }.answer
    }

    private static func useMemory() -> Bool {
        for size in [64 << 20, 1000, 200_000, 64 << 20] {
            guard let memory = malloc(size) else { return false }
            memset(memory, 7, size)
            guard let larger = realloc(memory, size * 2) else { return false }
            free(larger)
        }
        return true
    }

    private static func tellTime() -> Bool {
        let start = ContinuousClock.now
        return SuspendingClock.now < SuspendingClock.now.advanced(by: .seconds(1)) && start <= ContinuousClock.now
            && time(nil) > 0
    }

    private static func startThread() -> Bool {
        var thread = pthread_t()
        guard pthread_create(&thread, nil, { _ in nil }, nil) == 0 else { return false }
        return pthread_join(thread, nil) == 0
    }

    private static func lock() -> Bool {
        let number = Mutex(0)
        return number.withLock {
            $0 += 1
            return $0 == 1
        }
    }
}
