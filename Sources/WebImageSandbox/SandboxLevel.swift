/// The measures that hold for a process. What holds does so until its end, and for all that it starts.
///
/// Levels compare as sets: a level is at least another one if it is a superset of it.
package struct SandboxLevel: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// No program that it starts gets more rights.
    package static let noNewPrivileges = Self(rawValue: 1 << 0)
    /// No process of the same user traces it.
    package static let undumpable = Self(rawValue: 1 << 1)
    package static let noCapabilities = Self(rawValue: 1 << 2)
    /// Only the system calls that decoding takes.
    package static let systemCalls = Self(rawValue: 1 << 3)
    /// Landlock, Linux 5.13: no file can be opened, listed, made or removed.
    package static let landlockFiles = Self(rawValue: 1 << 4)
    /// Landlock, Linux 6.7: no TCP.
    package static let landlockNetwork = Self(rawValue: 1 << 5)
    /// Landlock, Linux 6.12: no signals to other processes, and none of their abstract sockets.
    package static let landlockScopes = Self(rawValue: 1 << 6)
    /// Memory, processor time, files and descriptors are limited.
    package static let limits = Self(rawValue: 1 << 7)
    /// Only the descriptors that the policy names.
    package static let descriptors = Self(rawValue: 1 << 8)
    package static let noEnvironment = Self(rawValue: 1 << 9)
    /// The kernel kills it when its parent ends.
    package static let diesWithParent = Self(rawValue: 1 << 10)
    package static let userNamespace = Self(rawValue: 1 << 11)
    /// It sees no other process.
    package static let processNamespace = Self(rawValue: 1 << 12)
    /// It has no network but a loopback interface of its own.
    package static let networkNamespace = Self(rawValue: 1 << 13)
    package static let ipcNamespace = Self(rawValue: 1 << 14)
    package static let hostNamespace = Self(rawValue: 1 << 15)
    /// Its file system is an empty directory.
    package static let emptyRoot = Self(rawValue: 1 << 16)

    package static let landlock: Self = [.landlockFiles, .landlockNetwork, .landlockScopes]
    package static let namespaces: Self = [
        .userNamespace, .processNamespace, .networkNamespace, .ipcNamespace, .hostNamespace, .emptyRoot,
    ]
    /// The measures that any kernel has and under which pictures of strangers are decoded: the list of system calls
    /// alone leaves no way to a file, a network or another process.
    package static let minimum: Self = [
        .noNewPrivileges, .undumpable, .noCapabilities, .systemCalls, .limits, .descriptors, .noEnvironment,
        .diesWithParent,
    ]
    package static let all: Self = [.minimum, .landlock, .namespaces]
}

extension SandboxLevel: CustomStringConvertible {
    private static let names: [(Self, String)] = [
        (.systemCalls, "system calls"), (.landlockFiles, "Landlock (files)"), (.landlockNetwork, "Landlock (TCP)"),
        (.landlockScopes, "Landlock (signals and sockets)"), (.userNamespace, "user namespace"),
        (.processNamespace, "process namespace"), (.networkNamespace, "network namespace"),
        (.ipcNamespace, "IPC namespace"), (.hostNamespace, "host name namespace"), (.emptyRoot, "empty root"),
        (.limits, "limits"), (.descriptors, "descriptors"), (.noEnvironment, "environment"),
        (.noCapabilities, "capabilities"), (.noNewPrivileges, "new privileges"), (.undumpable, "tracing"),
        (.diesWithParent, "end with the parent"),
    ]

    /// The measures, with commas.
    var list: String { Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ") }

    /// One line: the measures that hold, and those that do not.
    package var description: String {
        let missing = Self.all.subtracting(self)
        if missing.isEmpty { return "restricted in all ways: \(list)" }
        return isEmpty ? "not restricted" : "restricted: \(list); not restricted: \(missing.list)"
    }
}
