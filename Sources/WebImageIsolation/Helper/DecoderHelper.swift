import CProcess
import Glibc
import Synchronization
import WebImageCore

/// A helper program that runs. Any thread; it is ended with the last reference.
final class DecoderHelper: Sendable {
    let abilities: HelperAbilities
    private let process: HelperProcess
    /// One question at a time, since answers have no names.
    private let control: Mutex<PacketSocket>

    private let background: BackgroundWork
    /// In milliseconds.
    private let patience: Int32

    /// Starts the program, and waits until it is ready.
    init(path: String, role: HelperRole, patience: Int32, background: BackgroundWork) throws(HelperFailure) {
        self.patience = patience
        self.background = background
        let abilities: HelperAbilities?
        do throws(SystemFailure) {
            let (own, other) = try PacketSocket.makePair()
            process = try HelperProcess(path: path, control: other.descriptor)
            control = Mutex(own)
            other.descriptor.close()
            _ = own.send(WorkerPacket(bytes: HelperRequest.begin(role).bytes))
            let reply = Self.answer(on: own, of: process, within: patience)?.reply
            abilities = if case .ready(let abilities) = reply { abilities } else { nil }
        } catch {
            throw .notStarted(path: path, error)
        }
        guard let abilities else { throw HelperFailure(of: path, after: process.end()) }
        self.abilities = abilities
    }

    func fork(_ kind: DecoderKind, limits: ImageLimits) throws(HelperFailure) -> SocketConnection {
        let own: PacketSocket, other: PacketSocket
        do { (own, other) = try PacketSocket.makePair() } catch { throw .noWorker(error) }
        let (reply, descriptors) = try ask(.fork(kind, limits.workerAllowance), with: [other.descriptor])
        switch reply {
        case .forked(let number):
            guard let descriptor = descriptors.first else {
                _ = try? ask(.collect(worker: number))
                throw .noWorker(SystemFailure(code: EMFILE))
            }
            let worker = WorkerProcess(number: number, descriptor: descriptor, helper: self)
            return SocketConnection(own, to: worker, limits: limits, background: background)
        case .notForked(let code): throw .noWorker(SystemFailure(code: code))
        default: throw .ended
        }
    }

    /// How a worker has ended.
    func ending(of worker: Int32) -> WorkerEnding {
        guard case .ended(let status, let finding) = try? ask(.collect(worker: worker)).reply else { return .lost }
        return finding.map(WorkerEnding.found) ?? WorkerEnding(status: status)
    }

    /// Sends a signal to the program, for tests.
    func signal(_ number: Int32) { process.signal(number) }

    /// Kills the program, and its workers with it.
    func end() { process.end() }

    /// Whether the program itself runs.
    var isRunning: Bool { process.isRunning }

    private typealias Answer = (reply: HelperReply, descriptors: [OwnedDescriptor])

    private func ask(
        _ request: HelperRequest, with descriptors: [OwnedDescriptor] = []
    ) throws(HelperFailure) -> (reply: HelperReply, descriptors: [OwnedDescriptor]) {
        let packet = WorkerPacket(bytes: request.bytes, descriptors: descriptors)
        let answer = control.withLock { control -> Answer? in
            guard control.send(packet) == .sent else { return nil }
            return Self.answer(on: control, of: process, within: patience)
        }
        guard let answer else {
            // A helper that hangs, or gives an impossible answer, is not asked again.
            process.end()
            throw .ended
        }
        return answer
    }

    private static func answer(
        on control: PacketSocket, of process: HelperProcess, within patience: Int32
    ) -> Answer? {
        guard webimage_wait_for_either(control.descriptor.number, process.descriptor.number, patience) != 0 else {
            return nil
        }
        switch control.receive(waits: false) {
        // If this process may have no more descriptors, the rest of the answer is complete.
        case .cut(let packet): return HelperReply(packet.bytes).map { ($0, packet.descriptors) }
        case .packet(let packet): return HelperReply(packet.bytes).map { ($0, packet.descriptors) }
        case .nothing: return nil
        case .end: return nil
        }
    }
}

/// Why there is no worker.
enum HelperFailure: Error {
    case notStarted(path: String, SystemFailure)
    /// The program has started, and is no helper, or ends before it is ready.
    case notReady(path: String)
    /// Libraries of the program have threads that do not end, so that it cannot be forked.
    case keepsThreads(path: String)
    case noWorker(SystemFailure)
    /// The level is not what the app requires.
    case tooLow(String)
    case unknownKind(DecoderKind, path: String)
    /// The helper has ended, or was ended because it did not answer.
    case ended

    /// Of a program that was not ready.
    fileprivate init(of path: String, after ending: WorkerEnding) {
        switch ending {
        case .exit(WorkerStatus.memoryRefused): self = .noWorker(SystemFailure(code: ENOMEM))
        case .exit(WorkerStatus.threadRefused): self = .noWorker(SystemFailure(code: EAGAIN))
        case .exit(WorkerStatus.threadsStay): self = .keepsThreads(path: path)
        default: self = .notReady(path: path)
        }
    }
}
