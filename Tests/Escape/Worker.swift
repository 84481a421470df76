import Glibc
import WebImageSandbox

/// Workers as a program will have them: a zygote of its own, from which they are forked and then locked in.
struct Worker {
    let policy: SandboxPolicy
    /// Descriptors that the worker has besides that of its answer.
    var kept: [Int32] = []
    /// The work of the zygote before it forks.
    var prepare: () -> Void = {}

    /// Runs the work in a worker of a zygote, which both end with it: what the work has written, and how the worker has
    /// ended.
    func run(_ work: (SandboxLevel, Int32) -> Void) -> (answer: String, ending: Ending) {
        guard let (zygote, answers) = start(work) else { return ("", .notStarted) }
        let text = Self.readAll(answers, or: zygote)
        waitpid(zygote, nil, 0)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let status = lines.last.flatMap({ Int32($0) }) else { return (text, .notStarted) }
        return (lines.dropLast().joined(separator: "\n"), Ending(status: status))
    }

    /// The zygote, and the end of a pipe with the answer of its worker, behind which it tells how the worker has ended.
    func start(_ work: (SandboxLevel, Int32) -> Void) -> (zygote: pid_t, answers: Int32)? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0, let fork = try? SandboxedFork.make([]) else { return nil }
        guard case .parent(let zygote) = fork else {
            close(ends[0])
            prepare()
            runZygote(ends[1], work)
        }
        close(ends[1])
        return (zygote, ends[0])
    }

    private func runZygote(_ answers: Int32, _ work: (SandboxLevel, Int32) -> Void) -> Never {
        Self.silence()
        let zygote = SandboxedZygote.separate(policy.measures)
        let own = policy.measures.intersection([.userNamespace, .processNamespace])
        guard let fork = try? SandboxedFork.make(own, from: zygote.level) else { _exit(1) }
        guard case .parent(let worker) = fork else { runWorker(fork, of: zygote, answers, work) }
        var status: Int32 = 0
        waitpid(worker, &status, 0)
        Self.write("\n\(status)", to: answers)
        _exit(0)
    }

    private func runWorker(
        _ fork: SandboxedFork, of zygote: SandboxedZygote, _ answers: Int32, _ work: (SandboxLevel, Int32) -> Void
    ) -> Never {
        guard case .worker(let level) = fork else { _exit(1) }
        var policy = policy
        policy.descriptors.formUnion(kept)
        policy.connection = answers
        do {
            work(try Sandbox.enter(policy, from: level, root: zygote.root), answers)
            _exit(0)
        } catch {
            Self.write("\(error)", to: answers)
            _exit(1)
        }
    }

    /// A worker must not write into a file, and messages of libraries would end it where standard error is one.
    private static func silence() {
        let nowhere = open("/dev/null", O_RDWR)
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { dup2(nowhere, stream) }
        close(nowhere)
    }

    /// Until both have ended; after a minute without, the zygote is killed, and the worker with it.
    private static func readAll(_ answers: Int32, or zygote: pid_t) -> String {
        defer { close(answers) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        var state = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
        while poll(&state, 1, 60_000) == 1 {
            let count = read(answers, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer.prefix(count)
        }
        kill(zygote, SIGKILL)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Unbuffered.
    static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }

    static func say(_ name: String, _ outcome: String) { write("\(name)\t\(outcome)\n", to: STDOUT_FILENO) }
}

/// How a worker has ended.
enum Ending: Equatable, CustomStringConvertible {
    case exit(Int32), signal(Int32), notStarted

    init(status: Int32) { self = status & 0x7f == 0 ? .exit(status >> 8 & 0xff) : .signal(status & 0x7f) }

    var description: String {
        switch self {
        case .exit(let status): "exit \(status)"
        case .signal(let number): "signal \(number)"
        case .notStarted: "not started"
        }
    }
}
