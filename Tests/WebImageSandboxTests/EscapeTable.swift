import Glibc
import WebImageSandbox

/// The rules for each level: an attempt must fail where any of its entries is among the measures taken. The list of
/// system calls stops all of them but those that use what a decoder needs itself.
enum EscapeTable {
    static func measures(against name: String) -> [SandboxLevel] {
        if harmless.contains(name) { return [[]] }
        let others = table.filter { $0.names.contains(name) }.flatMap(\.measures)
        return allowedCalls.contains(name) ? others : [.systemCalls] + others
    }

    /// Attempts that end no other process, whatever holds.
    private static let harmless: Set = ["stack overflow"]
    /// Only limits are against them: decoders take memory, time, and write their answers.
    private static let allowedCalls: Set = [
        "malloc of 4 GB", "shared memory of 4 GB", "endless loop", "write to a file", "write to memory of the parent",
    ]

    /// How the kernel ends a process because of them, besides by SIGSYS.
    static let signals: [String: Set<Int32>] = [
        "stack overflow": [SIGSEGV], "endless loop": [SIGKILL], "endless loop in a thread": [SIGKILL],
        "write to a file": [SIGXFSZ], "write to memory of the parent": [SIGXFSZ], "pwrite64": [SIGXFSZ],
    ]

    /// The permissions of a level's policy: files that come with messages are mapped, and threads of a video wait for each other
    /// by pairs of sockets. The helper counts the threads of its workers; of root's, nothing else does.
    static func allowed(at level: String) -> Set<String> {
        switch level {
        case "withThreadsAndMessages": ["mmap MAP_SHARED", "thread bomb without memory"]
        case "withWaits": ["mmap MAP_SHARED", "socketpair", "thread bomb without memory"]
        default: []
        }
    }

    static let table: [(names: Set<String>, measures: [SandboxLevel])] = [
        (
            [
                "open", "creat", "openat", "openat O_TRUNC", "openat O_TMPFILE", "openat /proc/self/mem",
                "openat /proc/self/environ", "openat /proc/PARENT/mem", "openat a buffer of a sibling",
                "openat /dev/null", "openat2", "unlink",
                "rename",
                "link", "symlink", "mkdir", "mknod", "execve",
            ], [.landlockFiles, .emptyRoot]
        ),
        (
            [
                "openat O_PATH", "truncate", "stat", "statx", "access", "chdir", "chmod", "chown", "utimensat",
                "setxattr",
                "listxattr", "readlink", "name_to_handle_at",
            ], [.emptyRoot]
        ),
        (["connect 127.0.0.1"], [.landlockNetwork, .networkNamespace]),
        (["connect abstract"], [.landlockScopes, .networkNamespace]),
        (["bind"], [.landlockNetwork]),
        (["sendto"], [.networkNamespace]),
        (
            ["kill parent", "kill sibling", "tgkill", "tkill", "rt_sigqueueinfo", "pidfd_send_signal"],
            [.processNamespace, .landlockScopes]
        ),
        (["kill -1", "pidfd_open", "prlimit64 of the parent"], [.processNamespace]),
        (
            [
                "ptrace parent", "ptrace sibling", "pidfd_getfd", "kcmp", "process_vm_readv", "process_vm_writev",
                "process_vm_readv of a sibling", "pidfd_getfd of a sibling",
            ],
            [.processNamespace, .landlockFiles]
        ),
        (
            [
                "mount", "fsopen", "pivot_root", "chroot", "swapon", "swapoff", "reboot", "init_module",
                "delete_module", "kexec_load", "acct", "sethostname", "setdomainname", "open_by_handle_at", "capset",
                "unshare CLONE_NEWNET", "socket AF_PACKET", "setgroups", "setpriority", "sched_setscheduler",
                "prlimit64 upwards",
            ], [.noCapabilities]
        ),
        (
            [
                "malloc of 4 GB", "shared memory of 4 GB", "endless loop", "endless loop in a thread", "thread bomb",
                "write to a file", "write to memory of the parent", "pwrite64", "dup3 to 1000", "fcntl F_DUPFD",
            ], [.limits]
        ),
    ]
}
