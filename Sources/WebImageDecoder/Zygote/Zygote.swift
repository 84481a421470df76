import CProcess
import Glibc
import WebImageCore
import WebImageIsolation
import WebImageSandbox

/// The helper program: it has loaded what decoders need, and forks a locked worker from itself whenever the app asks for
/// one. It has one thread, and reads no byte of a picture.
package struct Zygote {
    /// The work of a worker: it answers on its connection until that ends.
    package typealias Service = (any WorkerChannel, DecoderKind) -> Void

    private let control: PacketSocket
    let sandboxed: SandboxedZygote
    private let service: Service
    /// The measures that hold for every worker: the app was told so.
    private var level = SandboxLevel.minimum
    private let fonts: FontBroker?
    private let fontAccess: FontAccess?
    private var workers: [pid_t: ForkedWorker] = [:]
    private var nextLook = ContinuousClock.now

    /// Between two looks at the threads of workers.
    private static let step = Duration.milliseconds(10)

    /// The descriptor that the app has given to the program.
    package static let controlNumber = 3 as Int32

    /// Runs to the end of the app.
    ///
    /// - Parameters:
    ///   - kinds: What the service decodes in a role.
    ///   - preload: Loads what the role's decoders read from files, since workers have none.
    ///   - fonts: How the workers of documents get fonts; nil for no fonts.
    ///   - patience: Milliseconds until the threads must have ended that were started by loading.
    ///   - service: What each worker does.
    package static func run(
        kinds: (HelperRole) -> Set<DecoderKind>, preload: (HelperRole) -> Void, fonts: FontAccess? = nil,
        patience: Int = 5000, service: @escaping Service
    ) -> Never {
        guard let control = takeControl() else { refuse() }
        guard let role = role(from: control) else { exit(2) }
        preferAsVictim()
        // This one has no threads, either: it could not be forked.
        IsolatedProcess.begin()
        webimage_use_huge_pages(false)
        preload(role)
        waitForThreads(patience)
        let sandboxed = SandboxedZygote.separate(.all)
        SandboxedZygote.clearEnvironment()
        let fonts = role == .pictures ? fonts : nil
        var zygote = Zygote(control: control, sandboxed: sandboxed, fonts: fonts, service: service)
        zygote.tell(.ready(zygote.tryOut(kinds(role))))
        zygote.serve()
        exit(0)
    }

    private init(control: PacketSocket, sandboxed: SandboxedZygote, fonts: FontAccess?, service: @escaping Service) {
        self.control = control
        self.sandboxed = sandboxed
        self.service = service
        fontAccess = fonts
        self.fonts = fonts.map { FontBroker($0) }
    }

    private mutating func tryOut(_ kinds: Set<DecoderKind>) -> HelperAbilities {
        let found = trialLevel() ?? []
        level.formUnion(found)
        return HelperAbilities(kinds: kinds, level: DecoderIsolation.Level(found), text: found.description)
    }

    private mutating func serve() {
        while true {
            let asking = workers.compactMap { number, worker in worker.fontConnection.map { (number, $0) } }
            var states = ([control] + asking.map(\.1)).map {
                pollfd(fd: $0.descriptor.number, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&states, nfds_t(states.count), timeout) >= 0 || errno == EINTR else { return }
            watchThreads()
            for (state, (number, _)) in zip(states.dropFirst(), asking) where state.revents != 0 {
                if let fonts { workers[number]?.answerQuestion(by: fonts) }
            }
            if states[0].revents != 0, !answerControl() { return }
        }
    }

    /// In milliseconds. Nothing is to be watched where no worker can start threads.
    private var timeout: Int32 {
        workers.values.contains(where: \.isWatched) ? Int32(Self.step / .milliseconds(1)) : -1
    }

    private mutating func watchThreads() {
        guard ContinuousClock.now >= nextLook else { return }
        nextLook = .now + Self.step
        for number in Array(workers.keys) { workers[number]?.watchThreads() }
    }

    /// Whether the app goes on.
    private mutating func answerControl() -> Bool {
        guard let (request, descriptor) = receiveRequest() else { return false }
        switch request {
        case .begin: return false
        case .fork(let kind, let allowance): fork(kind, allowance, for: descriptor)
        case .collect(let worker):
            tell(workers.removeValue(forKey: worker)?.collect() ?? .ended(status: 0, finding: nil))
        }
        return true
    }

    private func receiveRequest() -> (HelperRequest, OwnedDescriptor?)? {
        switch control.receive() {
        case .packet(let packet): return HelperRequest(packet.bytes).map { ($0, packet.descriptors.first) }
        // The rest of the request is complete also if this process may have no more descriptors.
        case .cut(let packet): return HelperRequest(packet.bytes).map { ($0, packet.descriptors.first) }
        case .nothing: return nil
        case .end: return nil
        }
    }

    private func tell(_ reply: HelperReply, with descriptors: [OwnedDescriptor] = []) {
        _ = control.send(WorkerPacket(bytes: reply.bytes, descriptors: descriptors))
    }

    private mutating func fork(_ kind: DecoderKind, _ allowance: WorkerAllowance, for descriptor: OwnedDescriptor?) {
        guard let descriptor else { return tell(.notForked(code: EMFILE)) }
        do throws(SandboxError) {
            let ends = kind.drawsDocuments && fonts != nil ? try makePair() : nil
            let order = WorkerOrder(
                kind: kind, allowance: allowance, connection: descriptor, required: level, fontConnection: ends?.1)
            let worker = try order.fork(from: sandboxed, fonts: fontAccess, service: service)
            workers[worker.number] = ForkedWorker(
                worker.number, maximumThreadCount: order.maximumThreadCount, fonts: ends?.0)
            tell(.forked(worker: worker.number), with: worker.descriptor.map { [$0] } ?? [])
        } catch {
            tell(.notForked(code: error.code))
        }
    }

    /// Without it, a worker would draw text in no font, and tell of no error.
    private func makePair() throws(SandboxError) -> (PacketSocket, PacketSocket) {
        do throws(SystemFailure) { return try PacketSocket.makePair() } catch { throw .notForked(code: error.code) }
    }
}

extension SandboxError {
    fileprivate var code: Int32 {
        switch self {
        case .notForked(let code): code
        case .tooLow: EPERM
        }
    }
}
