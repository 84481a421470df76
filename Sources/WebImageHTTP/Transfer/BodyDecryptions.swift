import FoundationEssentials
import WebImageCore

/// Complete bodies that are being decrypted, each once for all loads with the same decryptor.
///
/// Belongs to the transfer thread, where the loads end; the decryptors run on the queue of the decoders.
final class BodyDecryptions {
    private final class Decryption {
        let encrypted: ImageLoadResponse
        let work = SharedWork<DownloadTask, Void>(())

        init(_ encrypted: ImageLoadResponse) { self.encrypted = encrypted }
    }

    private let mailbox: TransferMailbox
    private let queue = JobQueue.decoding
    private var decryptions: [UInt64: Decryption] = [:]
    private var lastNumber: UInt64 = 0

    init(mailbox: TransferMailbox) { self.mailbox = mailbox }

    /// Starts the decryption of the body of `response` for loads with a decryptor.
    func begin(_ response: ImageLoadResponse, for loads: [(task: DownloadTask, priority: LoadPriority)]) {
        for group in Dictionary(grouping: loads, by: { $0.task.load.decryptorIdentity }).values {
            guard let decryptor = group.first?.task.load.decryptor else { continue }
            let decryption = Decryption(response.withoutData)
            for (task, priority) in group { _ = decryption.work.join(task, priority: priority) }
            lastNumber += 1
            decryptions[lastNumber] = decryption
            decryption.work.run { [mailbox, number = lastNumber] priority in
                queue.schedule(priority: priority) {
                    mailbox.post(.decrypted(number, decryptor.decrypt(response.data, response: response.http)))
                }
            }
        }
    }

    /// Ends the loads that wait for this decryption.
    func end(_ number: UInt64, _ data: Data?) {
        guard let decryption = decryptions.removeValue(forKey: number) else { return }
        let tasks = decryption.work.end()
        let result: Result<ImageLoadResponse, WebImageError> =
            if let data, !data.isEmpty {
                .success(decryption.encrypted.decrypted(data, for: tasks))
            } else {
                .failure(.notDecrypted(decryption.encrypted.http))
            }
        for task in tasks { task.finish(result) }
    }

    /// False when `task` waits for no decryption.
    func leave(_ task: DownloadTask) -> Bool {
        guard let (number, decryption, place) = place(of: task) else { return false }
        if decryption.work.leave(place, abandon: { _ in }) != nil { decryptions[number] = nil }
        return true
    }

    /// Without effect when `task` waits for no decryption.
    func prioritize(_ task: DownloadTask, _ priority: LoadPriority) {
        guard let (_, decryption, place) = place(of: task) else { return }
        decryption.work.setPriority(priority, of: place)
    }

    /// Gives up all decryptions, and returns their loads, which the caller must end.
    func removeAll() -> [DownloadTask] {
        defer { decryptions = [:] }
        return decryptions.values.flatMap { $0.work.cancel() }
    }

    private func place(of task: DownloadTask) -> (number: UInt64, decryption: Decryption, place: UInt64)? {
        guard task.load.decryptor != nil else { return nil }
        for (number, decryption) in decryptions {
            let place = decryption.work.withLock { $0.subscribers.number { $0 === task } }
            if let place { return (number, decryption, place) }
        }
        return nil
    }
}

extension ImageLoadResponse {
    /// The encrypted body is not needed once it is decrypted.
    fileprivate var withoutData: ImageLoadResponse {
        var response = ImageLoadResponse(data: Data(), http: http)
        response.sent = sent
        response.metrics = metrics
        return response
    }

    fileprivate func decrypted(_ data: Data, for tasks: [DownloadTask]) -> ImageLoadResponse {
        var response = self
        response.data = data
        return tasks.count > 1 ? response.sharedByMany : response
    }
}

extension WebImageError {
    fileprivate static func notDecrypted(_ response: HTTPResponse?) -> WebImageError {
        var error = WebImageError(
            .badImageData, stage: .load, kind: .permanent,
            reason: "the decryptor gave no data; check that it is the one for this body")
        error.response = response
        return error
    }
}
