import CSandbox

/// Restricts the calling process, for good, to what decoding takes.
///
/// Of a process with one thread only: Landlock and capabilities are of the thread that calls.
package enum Sandbox {
    /// Takes the measures of the policy that are the process's own. The order matters: each of them needs what a later one
    /// takes away.
    ///
    /// All that a decoder reads from files, such as fonts, must be in memory before.
    ///
    /// - Parameter level: What holds already, from `SandboxedFork`.
    /// - Returns: What holds then.
    package static func enter(
        _ policy: SandboxPolicy, from level: SandboxLevel = [], root: EmptyRoot? = nil
    ) throws(SandboxError) -> SandboxLevel {
        try SandboxPreparation(policy).enter(from: level, root: root)
    }
}

/// The facts about the measures that a process learns before it forks the one that takes them: a copy would find them
/// out again each time.
package struct SandboxPreparation {
    private let policy: SandboxPolicy
    /// Bytes; told by the file system that is about to be taken away.
    private let addressSpace = webimage_sandbox_address_space()
    private let keptDescriptors: [Int32]

    package init(_ policy: SandboxPolicy) {
        self.policy = policy
        keptDescriptors = policy.descriptors.union(policy.connection.map { [$0] } ?? []).sorted()
    }

    /// See ``Sandbox/enter(_:from:root:)``.
    package func enter(
        from level: SandboxLevel = [], root: EmptyRoot? = nil
    ) throws(SandboxError) -> SandboxLevel {
        var entry = SandboxEntry(
            policy: policy, level: level, addressSpace: addressSpace, keptDescriptors: keptDescriptors)
        entry.clearEnvironment()
        entry.restrictFiles(to: root)
        entry.restrictPrivileges()
        entry.limit()
        entry.restrictSystemCalls()
        guard entry.level.isSuperset(of: policy.required) else {
            throw .tooLow(reached: entry.level, required: policy.required)
        }
        return entry.level
    }
}

/// The measures in their order, and what has come of them.
private struct SandboxEntry {
    let policy: SandboxPolicy
    var level: SandboxLevel
    let addressSpace: UInt64
    /// In ascending order.
    let keptDescriptors: [Int32]

    private mutating func take(_ measure: SandboxLevel, _ action: () -> Int32) {
        if policy.measures.contains(measure), action() == 0 { level.insert(measure) }
    }

    mutating func clearEnvironment() {
        take(.noEnvironment) {
            webimage_sandbox_clear_environment()
            return 0
        }
    }

    mutating func restrictFiles(to root: EmptyRoot?) {
        if let root { take(.emptyRoot) { webimage_sandbox_enter_root(root.descriptor) } }
        let kept = keptDescriptors
        take(.descriptors) { webimage_sandbox_close_descriptors(kept, kept.count) }
    }

    mutating func restrictPrivileges() {
        take(.noCapabilities, webimage_sandbox_drop_capabilities)
        take(.undumpable, webimage_sandbox_set_undumpable)
        take(.noNewPrivileges, webimage_sandbox_set_no_new_privileges)
        guard !policy.measures.isDisjoint(with: .landlock) else { return }
        let version = webimage_sandbox_restrict_by_landlock()
        if version >= 1 { level.insert(.landlockFiles) }
        if version >= 4 { level.insert(.landlockNetwork) }
        if version >= 6 { level.insert(.landlockScopes) }
    }

    mutating func limit() {
        var limits = webimage_sandbox_limits()
        limits.memory = addressSpace + UInt64(max(0, policy.limits.memory))
        limits.processor_seconds = UInt64(max(1, policy.limits.processorSeconds))
        let highest = keptDescriptors.last ?? -1
        limits.descriptors = UInt64(max(0, Int(highest) + 1 + policy.limits.receivedDescriptors))
        limits.processes = processCount
        take(.limits) { webimage_sandbox_set_limits(&limits) }
    }

    private var processCount: UInt64 {
        guard policy.allowsThreads else { return 0 }
        return level.contains(.userNamespace) ? UInt64(max(0, policy.limits.threadCount) + 1) : .max
    }

    mutating func restrictSystemCalls() {
        var allowances: UInt32 = 0
        if policy.allowsThreads { allowances |= UInt32(WEBIMAGE_SANDBOX_THREADS) }
        if policy.allowsMessages { allowances |= UInt32(WEBIMAGE_SANDBOX_MESSAGES) }
        if policy.allowsWaits { allowances |= UInt32(WEBIMAGE_SANDBOX_WAITS) }
        let connection = policy.connection ?? -1
        take(.systemCalls) { webimage_sandbox_filter_system_calls(allowances, connection) }
    }
}
