import Foundation
import Testing

/// The possessions of this process, for tests in a process of their own.
struct ProcessHoldings: Equatable {
    let descriptors: Int
    let memoryFiles: Int
    /// Children, and theirs.
    let processes: Int

    /// The descriptors that Dispatch opens when it first needs them, and those that the watch of the machine's memory
    /// reads on a thread of its own.
    private static let ofRuntime = ["anon_inode:[event", "anon_inode:[timerfd]", "/proc/", "/sys/"]

    init() {
        let files = FileManager.default
        let open = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let targets = open.compactMap { try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
        descriptors = targets.count { target in !Self.ofRuntime.contains { target.hasPrefix($0) } }
        memoryFiles = targets.count { $0.hasPrefix("/memfd:") }
        processes = Self.descendants(of: getpid()).count
    }

    /// Zombies are among them.
    static func descendants(of process: pid_t) -> [pid_t] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
        var parents: [pid_t: pid_t] = [:]
        for number in all { parents[number] = parent(of: number) }
        return all.filter { number in
            var next = parents[number]
            while let current = next, current > 1 {
                if current == process { return true }
                next = parents[current]
            }
            return false
        }
    }

    private static func parent(of process: pid_t) -> pid_t? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        return text[end...].split(separator: " ").dropFirst(2).first.flatMap { pid_t($0) }
    }
}

/// The work of a test in a process of its own, which may not throw.
func recordingErrors(_ work: () throws -> Void) {
    do { try work() } catch { Issue.record(error) }
}
