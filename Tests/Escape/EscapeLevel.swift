import WebImageSandbox

/// The measures that a kernel may offer: all, or fewer, as with a measure switched off.
enum EscapeLevel: String, CaseIterable {
    /// The rights of a picture's worker, and those that a video's has besides.
    case withThreadsAndMessages, withWaits
    case everything, withoutLandlock, withoutNamespaces, withoutBoth, systemCallsAlone
    case withoutSystemCalls, landlockAlone, namespacesAlone, nothing

    var policy: SandboxPolicy {
        var policy = SandboxPolicy()
        policy.measures = measures
        policy.required = []
        policy.limits.memory = 512 << 20
        policy.limits.processorSeconds = 1
        policy.allowsThreads = self == .withThreadsAndMessages || self == .withWaits
        policy.allowsMessages = policy.allowsThreads
        policy.allowsWaits = self == .withWaits
        return policy
    }

    private var measures: SandboxLevel {
        switch self {
        case .everything, .withThreadsAndMessages, .withWaits: .all
        case .withoutLandlock: .all.subtracting(.landlock)
        case .withoutNamespaces: .all.subtracting(.namespaces)
        case .withoutBoth: .all.subtracting(.landlock).subtracting(.namespaces)
        // The kernel takes no list from a process that could get more rights.
        case .systemCallsAlone: [.systemCalls, .noNewPrivileges]
        case .withoutSystemCalls: .all.subtracting(.systemCalls)
        case .landlockAlone: .all.subtracting(.systemCalls).subtracting(.namespaces)
        case .namespacesAlone: .all.subtracting(.systemCalls).subtracting(.landlock)
        case .nothing: []
        }
    }
}
