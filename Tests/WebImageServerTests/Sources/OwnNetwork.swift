import Foundation
import Glibc
import Testing

@testable import WebImageTestDoubles

/// A network of a test's own, in which every address is this machine: the kernel's namespaces for a user, networks and mounts.
///
/// The test runs itself there, in a process of its own.
enum OwnNetwork {
    private static let mark = "WEBIMAGE_OWN_NETWORK"

    /// Whether this process is in it.
    static var isHere: Bool { ProcessInfo.processInfo.environment[mark] != nil }

    /// The file in which the test tells its counts to the process outside of the network.
    static var report: URL? { ProcessInfo.processInfo.environment[mark].map { URL(filePath: $0) } }

    /// All addresses of IPv4 and IPv6 lead to this machine, and names are asked of 127.0.0.1 alone.
    private static let setting = """
        ip link set lo up && ip route add local 0.0.0.0/0 dev lo && ip -6 route add local ::/0 dev lo || exit 71
        echo 'nameserver 127.0.0.1' > "$0/resolv.conf"
        echo 'hosts: files dns' > "$0/nsswitch.conf"
        for file in resolv.conf nsswitch.conf; do
            [ -e /etc/$file ] || continue
            mount --bind "$0/$file" /etc/$file || exit 72
        done
        exec "$@"
        """

    /// Runs this program's tests whose names match, and returns its exit status, what it has printed, and its report.
    static func run(tests filter: String) async throws -> (status: Int32, output: String, report: String) {
        let program = try Program()
        let report = program.file("report")
        let ending = try await program.run(
            ["-Urnm", "/bin/sh", "-c", setting, program.directory.path, own]
                + ["--testing-library", "swift-testing", "--filter", filter],
            by: URL(filePath: "/usr/bin/unshare"),
            environment: ProcessInfo.processInfo.environment.merging([
                mark: report.path, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            ]) { $1 })
        let text = (try? String(contentsOf: report, encoding: .utf8)) ?? ""
        return (ending.status, ending.text + ending.errors, text)
    }

    private static var own: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    }

    fileprivate static let isPossible: Bool = {
        guard !isHere else { return true }
        let folder = FileManager.default.temporaryDirectory.appending(path: "webimage-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = try? ChildProcess(
            URL(filePath: "/usr/bin/unshare"), ["-Urnm", "/bin/sh", "-c", setting, folder.path, "/bin/true"],
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        return process.map { ChildProcess.status(of: $0.identifier) == 0 } ?? false
    }()
}

extension Trait where Self == ConditionTrait {
    /// For tests with a network of their own.
    static var needsOwnNetwork: Self {
        .enabled(
            if: OwnNetwork.isPossible,
            "no network of its own: util-linux' unshare or iproute2 is missing, or the kernel lets this user have no namespaces"
        )
    }
}
