/// How a worker is to be restricted.
package struct SandboxPolicy: Hashable, Sendable {
    /// The measures to take. Those that the kernel refuses lower the level.
    package var measures: SandboxLevel = .all
    /// Below this level a worker does no work.
    package var required: SandboxLevel = .minimum
    package var limits = SandboxLimits()
    /// Whether threads may be started: rsvg's filters and libde265 cannot do without.
    package var allowsThreads = false
    /// Whether messages with descriptors may be received, and their files mapped. Messages without any are sent by `write`.
    package var allowsMessages = false
    /// Whether threads may wait for each other by descriptors, as GStreamer's do: by pairs of sockets that reach no other process.
    package var allowsWaits = false
    /// The descriptors that stay open besides the connection. Regular files cannot be written, because of their limit, not even for
    /// messages of libraries.
    package var descriptors: Set<Int32> = [0, 1, 2]
    /// A descriptor that stays open to the end of the process, whose other side takes its closing for that end.
    package var connection: Int32?

    package init() {}
}

/// The kernel's limits for a worker.
package struct SandboxLimits: Hashable, Sendable {
    /// Bytes beyond those of the process that it was forked from, as address space: also shared memory counts. An allocation
    /// beyond it fails. Without effect under a sanitizer.
    package var memory = 1 << 30
    /// Seconds of processor time, of all threads together. The kernel ends the process with SIGKILL, as
    /// it does where the system has no memory left; what the process has used tells them apart.
    package var processorSeconds = 60
    /// Room for descriptors that come later, above the highest of the policy.
    package var receivedDescriptors = 0
    /// The number of threads besides the first one. It holds where the worker has a user namespace: elsewhere the
    /// kernel counts all processes of the user, and none of root's. Memory does not limit them either, since they may share a
    /// stack: the process that forks the worker must count them.
    package var threadCount = 16

    package init() {}
}
