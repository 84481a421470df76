import CCanary
import Glibc
import WebImageSandbox

/// One canary after the other, each in a worker of its own. A line for each: its name, and what has come of it, which is
/// `returned` with the system's result or negative error, `exit` or `signal` with the number, or `harmed`.
struct HostileRun {
    let level: EscapeLevel
    let directory: String

    /// The first line is the level that was reached, as a number.
    func run(_ names: [String]) {
        let (answer, _) = Worker(policy: level.policy).run { Worker.write("\($0.rawValue)", to: $1) }
        Worker.say("level", answer)
        for index in 0..<webimage_canary_count() {
            let name = String(cString: webimage_canary_name(index))
            if names.isEmpty || names.contains(name) { Worker.say(name, outcome(of: index)) }
        }
    }

    private func outcome(of index: Int) -> String {
        var targets = webimage_canary_targets()
        guard webimage_canary_prepare(&targets, directory) else { return "not prepared: \(errno)" }
        defer { webimage_canary_finish(&targets) }
        let kept = [targets.file_descriptor, targets.program, targets.terminal, targets.inbox]
        let (answer, ending) = Worker(policy: level.policy, kept: kept).run { _, answers in
            targets.connection = answers
            Worker.write("returned \(webimage_canary_run(index, &targets))", to: answers)
        }
        if let harm = webimage_canary_harm(&targets) { return "harmed: \(String(cString: harm))" }
        if targets.success.pointee { return "returned 0" }
        return answer.isEmpty || ending != .exit(0) ? "\(ending)" : answer
    }
}
