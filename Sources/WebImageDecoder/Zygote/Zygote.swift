import CProcess
import Glibc
import WebImage
import WebImageSandbox

/// The helper program: it has loaded what decoders need, and forks a locked worker from itself whenever the app asks for
/// one. It has one thread, and reads no byte of a picture.
package struct Zygote {
    /// The work of a worker: it answers on its connection until that ends.
    package typealias Service = (any WorkerChannel, DecoderKind) -> Void

    private let control: PacketSocket
    let origin: SandboxedOrigin
    private let service: Service
    private let fonts: FontBroker?
    private let fontAccess: FontAccess?
    /// The connections on which they ask for fonts; nil for those that have none.
    private var workers: [pid_t: PacketSocket?] = [:]

    /// The descriptor that the app has given to the program.
    package static let controlNumber = 3 as Int32

    /// Runs to the end of the app.
    ///
    /// - Parameters:
    ///   - kinds: What the service decodes in a role.
    ///   - preload: Loads what the role's decoders read from files, since workers have none.
    ///   - fonts: How the workers of documents get fonts; nil for no fonts.
    ///   - service: What each worker does.
    package static func run(
        kinds: (HelperRole) -> Set<DecoderKind>, preload: (HelperRole) -> Void, fonts: FontAccess? = nil,
        service: @escaping Service
    ) -> Never {
        guard let control = takeControl() else { refuse() }
        guard let role = role(from: control) else { exit(2) }
        preferAsVictim()
        // This one has no threads, either: it could not be forked.
        IsolatedProcess.begin()
        webimage_use_huge_pages(false)
        preload(role)
        waitForThreads()
        let origin = SandboxedOrigin.separate(.all)
        SandboxedOrigin.clearEnvironment()
        let fonts = role == .pictures ? fonts : nil
        var zygote = Zygote(control: control, origin: origin, fonts: fonts, service: service)
        zygote.tell(.ready(zygote.abilities(kinds(role))))
        zygote.serve()
        exit(0)
    }

    private init(control: PacketSocket, origin: SandboxedOrigin, fonts: FontAccess?, service: @escaping Service) {
        self.control = control
        self.origin = origin
        self.service = service
        fontAccess = fonts
        self.fonts = fonts.map { FontBroker($0) }
    }

    private mutating func serve() {
        while true {
            let asking = workers.compactMap { worker, connection in connection.map { (worker, $0) } }
            var states = ([control] + asking.map(\.1)).map {
                pollfd(fd: $0.descriptor.number, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&states, nfds_t(states.count), -1) >= 0 || errno == EINTR else { return }
            for (state, (worker, connection)) in zip(states.dropFirst(), asking) where state.revents != 0 {
                if fonts?.answer(on: connection) != true { workers[worker] = .some(nil) }
            }
            if states[0].revents != 0, !answerControl() { return }
        }
    }

    /// Whether the app goes on.
    private mutating func answerControl() -> Bool {
        guard case .packet(let packet) = control.receive(), let request = HelperRequest(packet.bytes) else {
            return false
        }
        switch request {
        case .begin: return false
        case .fork(let kind, let allowance): fork(kind, allowance, for: packet.descriptors.first)
        case .collect(let worker): tell(.ended(status: collect(worker)))
        }
        return true
    }

    private func tell(_ reply: HelperReply, with descriptors: [OwnedDescriptor] = []) {
        _ = control.send(WorkerPacket(bytes: reply.bytes, descriptors: descriptors))
    }

    private mutating func fork(_ kind: DecoderKind, _ allowance: WorkerAllowance, for descriptor: OwnedDescriptor?) {
        guard let descriptor else { return tell(.notForked(code: EMFILE)) }
        do throws(SandboxError) {
            let ends = kind.drawsDocuments && fonts != nil ? try? PacketSocket.makePair() : nil
            let order = WorkerOrder(kind: kind, allowance: allowance, connection: descriptor, fontConnection: ends?.1)
            let worker = try order.fork(from: origin, fonts: fontAccess, service: service)
            workers.updateValue(ends?.0, forKey: worker.number)
            tell(.forked(worker: worker.number), with: worker.descriptor.map { [$0] } ?? [])
        } catch {
            tell(.notForked(code: error.code))
        }
    }

    /// Ends the worker where the app could not, and leaves no zombie.
    private mutating func collect(_ worker: pid_t) -> Int32 {
        guard workers.removeValue(forKey: worker) != nil else { return 0 }
        kill(worker, SIGKILL)
        var status: Int32 = 0
        while waitpid(worker, &status, 0) < 0, errno == EINTR {}
        return status
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
