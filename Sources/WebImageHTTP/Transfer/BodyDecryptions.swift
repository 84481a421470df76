import FoundationEssentials
import WebImageCore

/// Complete bodies that are being decrypted, each once for all loads with the same decryptor.
///
/// Belongs to the transfer thread, where the loads end; the decryptors run on the queue of the decoders.
final class BodyDecryptions {
    private struct Decryption {
        let encrypted: ImageLoadResponse
        let ticket: JobQueue.Ticket
        var subscribers: [SharedTransfer.Subscriber]

        var priority: LoadPriority { subscribers.map(\.priority).max() ?? .low }
    }

    private let mailbox: TransferMailbox
    private let queue = JobQueue.decoding
    private var decryptions: [UInt64: Decryption] = [:]
    private var lastNumber: UInt64 = 0

    init(mailbox: TransferMailbox) { self.mailbox = mailbox }

    /// Starts the decryption of the body of `response` for loads with a decryptor.
    func begin(_ response: ImageLoadResponse, for subscribers: [SharedTransfer.Subscriber]) {
        let groups = Dictionary(grouping: subscribers, by: \.task.load.decryptorIdentity)
        for group in groups.values {
            guard let decryptor = group.first?.task.load.decryptor else { continue }
            begin(response, with: decryptor, for: group)
        }
    }

    private func begin(
        _ response: ImageLoadResponse, with decryptor: any DownloadDecryptor,
        for subscribers: [SharedTransfer.Subscriber]
    ) {
        lastNumber += 1
        let priority = subscribers.map(\.priority).max() ?? .low
        let ticket = queue.submit(priority: priority) { [mailbox, number = lastNumber] in
            mailbox.post(.decrypted(number, decryptor.decrypt(response.data, response: response.http)))
        }
        decryptions[lastNumber] = Decryption(encrypted: response.withoutData, ticket: ticket, subscribers: subscribers)
    }

    /// Ends the loads that wait for this decryption.
    func end(_ number: UInt64, _ data: Data?) {
        guard let decryption = decryptions.removeValue(forKey: number) else { return }
        let result: Result<ImageLoadResponse, WebImageError> =
            if let data, !data.isEmpty {
                .success(response(data, of: decryption))
            } else {
                .failure(.notDecrypted(decryption.encrypted.http))
            }
        for subscriber in decryption.subscribers { subscriber.task.finish(result) }
    }

    private func response(_ data: Data, of decryption: Decryption) -> ImageLoadResponse {
        var response = decryption.encrypted
        response.data = data
        return decryption.subscribers.count > 1 ? response.sharedByMany : response
    }

    /// False when `task` waits for no decryption.
    func leave(_ task: DownloadTask) -> Bool {
        guard let (number, index) = place(of: task) else { return false }
        decryptions[number]?.subscribers.remove(at: index)
        if decryptions[number]?.subscribers.isEmpty == true {
            decryptions.removeValue(forKey: number).map { _ = queue.remove($0.ticket) }
        } else {
            updatePriority(of: number)
        }
        return true
    }

    /// Without effect when `task` waits for no decryption.
    func prioritize(_ task: DownloadTask, _ priority: LoadPriority) {
        guard let (number, index) = place(of: task) else { return }
        decryptions[number]?.subscribers[index].priority = priority
        updatePriority(of: number)
    }

    /// Gives up all decryptions, and returns their loads, which the caller must end.
    func removeAll() -> [DownloadTask] {
        for decryption in decryptions.values { queue.remove(decryption.ticket) }
        defer { decryptions = [:] }
        return decryptions.values.flatMap { $0.subscribers.map(\.task) }
    }

    private func place(of task: DownloadTask) -> (number: UInt64, index: Int)? {
        guard task.load.decryptor != nil else { return nil }
        for (number, decryption) in decryptions {
            if let index = decryption.subscribers.firstIndex(where: { $0.task === task }) { return (number, index) }
        }
        return nil
    }

    private func updatePriority(of number: UInt64) {
        guard let decryption = decryptions[number] else { return }
        queue.move(decryption.ticket, to: decryption.priority)
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
