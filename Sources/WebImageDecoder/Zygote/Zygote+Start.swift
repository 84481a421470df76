import CLinux
import Glibc
import WebImageCore
import WebImageIsolation
import WebImageSandbox
import WebImageSVG

extension Zygote {
    /// The connection to the app; nil where a person has started the program.
    static func takeControl() -> PacketSocket? {
        var status = stat()
        guard fstat(controlNumber, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        SandboxedZygote.closeDescriptors(after: controlNumber)
        _ = fcntl(controlNumber, F_SETFD, FD_CLOEXEC)
        return PacketSocket(OwnedDescriptor(controlNumber))
    }

    /// The role that the app asks for first; nil for an app that has ended, or is of another version.
    static func role(from control: PacketSocket) -> HelperRole? {
        guard case .packet(let packet) = control.receive(), case .begin(let role) = HelperRequest(packet.bytes) else {
            return nil
        }
        return role
    }

    static func refuse() -> Never {
        let text = "webimage-decoder decodes pictures for a program that starts it, and does nothing by itself\n"
        _ = write(STDERR_FILENO, text, text.utf8.count)
        exit(2)
    }

    /// When the system runs out of memory, the kernel ends a worker, and not the app or another program.
    static func preferAsVictim() {
        let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "900", 3)
        close(file)
    }

    /// Pango has a thread for each search for a font, which ends soon. In a copy of a process with other threads, what these
    /// have locked stays locked.
    static func waitForThreads(_ milliseconds: Int) {
        if endsAlone(within: 20) { return }
        // That of Pango 1.58 stays as long as the fonts that it has found.
        SVGCoder.releaseFonts()
        if !endsAlone(within: milliseconds) { _exit(WorkerStatus.threadsStay) }
    }

    private static func endsAlone(within milliseconds: Int) -> Bool {
        for _ in 0..<milliseconds where !SandboxedZygote.hasOneThread { poll(nil, 0, 1) }
        return SandboxedZygote.hasOneThread
    }

    /// The measures that hold for a worker that does nothing but tell them; nil for less than the minimum.
    func trialLevel() -> SandboxLevel? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        let (reader, writer) = (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
        let order = WorkerOrder(
            kind: .jpeg, allowance: WorkerAllowance(memory: 64 << 20, processorSeconds: 10), connection: writer)
        let worker = try? order.fork(from: sandboxed) { level in
            var bits = level.rawValue
            _ = write(writer.number, &bits, MemoryLayout.size(ofValue: bits))
        }
        // For now: it says nothing of the level.
        guard let worker else { exit(WorkerStatus.threadRefused) }
        writer.close()
        var bits: UInt32 = 0
        let count = read(reader.number, &bits, MemoryLayout.size(ofValue: bits))
        waitpid(worker.number, nil, 0)
        return count == MemoryLayout.size(ofValue: bits) ? SandboxLevel(rawValue: bits) : nil
    }
}

extension DecoderIsolation.Level {
    /// A measure of several parts holds where all of them do that matter for decoding.
    init(_ level: SandboxLevel) {
        self = []
        if level.isSuperset(of: SandboxLevel.minimum.subtracting(.limits)) { insert(.systemCalls) }
        if level.contains(.limits) { insert(.limits) }
        if level.contains(.landlockFiles) { insert(.landlock) }
        if level.isSuperset(of: [.processNamespace, .networkNamespace, .emptyRoot]) { insert(.namespaces) }
    }
}
