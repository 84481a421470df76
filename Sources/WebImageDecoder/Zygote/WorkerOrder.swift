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
    /// Its end of the connection on which it asks for fonts.
    var fontConnection: PacketSocket?

    /// Room for the file and some buffers of pixels, which the worker closes once it has mapped them, and for the sockets of
    /// GStreamer's threads.
    private var receivedDescriptors: Int { kind == .video ? 128 : 16 }

    private func policy(_ measures: SandboxLevel) -> SandboxPolicy {
        var policy = SandboxPolicy()
        policy.measures = measures
        policy.allowsMessages = true
        // libde265 and the filters of librsvg wait without an end, or abort, where they get none.
        policy.allowsThreads = kind == .heif || kind == .svg || kind == .video
        policy.allowsWaits = kind == .video
        // GStreamer has some for each stream of a file, also of sound, and twice as many while it begins anew.
        if kind == .video { policy.limits.threadCount = 64 }
        policy.limits.memory = allowance.memory
        policy.limits.processorSeconds = allowance.processorSeconds
        policy.limits.receivedDescriptors = receivedDescriptors
        policy.descriptors = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, connection.number]
        if let fontConnection { policy.descriptors.insert(fontConnection.descriptor.number) }
        return policy
    }

    /// The worker's number, and a descriptor that can be read once it has ended.
    func fork(
        from origin: SandboxedOrigin, fonts: FontAccess?, service: Zygote.Service
    ) throws(SandboxError) -> (number: pid_t, descriptor: OwnedDescriptor?) {
        try fork(from: origin) { _ in
            if let fontConnection { fonts?.ask(fontConnection.descriptor.number) }
            service(SocketChannel(PacketSocket(connection)), kind)
        }
    }

    func fork(
        from origin: SandboxedOrigin, work: (SandboxLevel) -> Void
    ) throws(SandboxError) -> (number: pid_t, descriptor: OwnedDescriptor?) {
        let preparation = SandboxPreparation(policy(origin.measures))
        switch try SandboxedFork.make(
            origin.measures.intersection([.userNamespace, .processNamespace]), from: origin.level)
        {
        case .parent(let number):
            let descriptor = webimage_open_process(number)
            return (number, descriptor < 0 ? nil : OwnedDescriptor(descriptor))
        case .worker(let level):
            // Elsewhere a huge page, which is cleared as a whole, takes longer than the few small ones that are touched.
            if kind.hasPlanes { webimage_use_huge_pages(true) }
            Self.run(work) { () throws(SandboxError) in try preparation.enter(from: level, root: origin.root) }
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

extension DecoderKind {
    /// Whether its library has all pixels in memory of its own.
    fileprivate var hasPlanes: Bool {
        switch self {
        case .tiff, .heif, .avif, .jxl: true
        case .jpeg, .png, .webP, .gif, .bmp, .ico, .svg, .pdf, .video: false
        }
    }
}
