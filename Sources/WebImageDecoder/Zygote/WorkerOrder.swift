import CProcess
import Glibc
import WebImageCore
import WebImageIsolation
import WebImageSandbox

/// A worker to be forked.
struct WorkerOrder {
    let kind: DecoderKind
    let allowance: WorkerAllowance
    /// The worker's end of its connection.
    let connection: OwnedDescriptor
    /// The measures that must hold for it.
    var required: SandboxLevel = .minimum
    /// Its end of the connection on which it asks for fonts.
    var fontConnection: PacketSocket?

    /// Room for the file and some buffers of pixels, which the worker closes once it has mapped them, and for the sockets of
    /// GStreamer's threads.
    private var receivedDescriptors: Int { kind == .video ? 128 : 16 }

    /// Besides the first one. Libraries such as that of librsvg's filters have one for each processor. GStreamer has
    /// some for each stream of a file, also of sound, and twice as many while it begins anew.
    private var threadCount: Int { (kind == .video ? 64 : 16) + 2 * Self.processorCount }

    private static let processorCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// nil for a worker that can start no threads.
    var maximumThreadCount: Int? { kind.startsThreads ? threadCount + 1 : nil }

    private func policy(_ measures: SandboxLevel) -> SandboxPolicy {
        var policy = SandboxPolicy()
        policy.measures = measures
        policy.required = required
        policy.allowsMessages = true
        policy.allowsThreads = kind.startsThreads
        policy.limits.threadCount = threadCount
        policy.allowsWaits = kind == .video
        policy.limits.memory = allowance.memory
        policy.limits.processorSeconds = allowance.processorSeconds
        policy.limits.receivedDescriptors = receivedDescriptors
        policy.connection = connection.number
        if let fontConnection { policy.descriptors.insert(fontConnection.descriptor.number) }
        return policy
    }

    /// The worker's number, and a descriptor that can be read once it has ended.
    func fork(
        from zygote: SandboxedZygote, fonts: FontAccess?, service: Zygote.Service
    ) throws(SandboxError) -> (number: pid_t, descriptor: OwnedDescriptor?) {
        try fork(from: zygote) { _ in
            if let fontConnection { fonts?.ask(fontConnection.descriptor.number) }
            service(SocketChannel(PacketSocket(connection)), kind)
        }
    }

    func fork(
        from zygote: SandboxedZygote, work: (SandboxLevel) -> Void
    ) throws(SandboxError) -> (number: pid_t, descriptor: OwnedDescriptor?) {
        let preparation = SandboxPreparation(policy(zygote.measures))
        let own = zygote.measures.intersection([.userNamespace, .processNamespace])
        switch try SandboxedFork.make(own, required: required, from: zygote.level) {
        case .parent(let number):
            let descriptor = webimage_open_process(number)
            return (number, descriptor < 0 ? nil : OwnedDescriptor(descriptor))
        case .worker(let level):
            // Elsewhere a huge page, which is cleared as a whole, takes longer than the few small ones that are touched.
            if kind.hasPlanes { webimage_use_huge_pages(true) }
            Self.run(work) { () throws(SandboxError) in try preparation.enter(from: level, root: zygote.root) }
        }
    }

    private static func run(
        _ work: (SandboxLevel) -> Void, lockedIn lockIn: () throws(SandboxError) -> SandboxLevel
    ) -> Never {
        do throws(SandboxError) {
            work(try lockIn())
            _exit(0)
        } catch {
            _exit(WorkerStatus.notLockedIn)
        }
    }
}
