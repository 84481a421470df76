import FoundationEssentials
import WebImageCore

/// An exchange that an app's download operation performs. Belongs to the transfer thread.
final class OperationExchange: HTTPExchange {
    private(set) var head: ReceivedHead?
    private let inbox: OperationInbox
    private unowned let transfer: HTTPTransfer
    private var task: (any CancellableTask)?
    private var priority: LoadPriority
    private var hasEnded = false
    private(set) var metrics: TransferMetrics?

    init(_ transfer: HTTPTransfer, mailbox: TransferMailbox, priority: LoadPriority) {
        self.transfer = transfer
        self.priority = priority
        inbox = OperationInbox(number: transfer.number, mailbox: mailbox)
    }

    var isHeadFinal: Bool { head != nil }

    /// Not known: an operation decodes the body by itself.
    var wireByteCount: Int? { nil }

    /// Never: an operation answers challenges by itself.
    func endsEndlessChallenge() -> Bool { false }

    func start(_ operation: any DownloadOperation, _ request: DownloadRequest) {
        transfer.connectionStood()
        task = operation.start(request) { [inbox] event in inbox.add(event) }
    }

    func receiveNews() -> ExchangeEnd? {
        for event in inbox.take() {
            if let end = receive(event) { return end }
        }
        return nil
    }

    private func receive(_ event: DownloadOperationEvent) -> ExchangeEnd? {
        switch event {
        case .response(let response, let expectedByteCount):
            guard !transfer.hasHead else { return nil }
            var response = response
            response.headers = response.headers.withLowercasedNames
            head = ReceivedHead(response: response, expectedByteCount: expectedByteCount)
            transfer.receiveHeadBytes(0)
            return nil
        case .data(let data):
            guard head != nil else {
                hasEnded = true
                return ExchangeEnd(error: .dataBeforeResponse)
            }
            // The operation goes on where no more is wanted, until ``stop()``.
            return data.withUnsafeBytes { transfer.receiveBody($0) } ? nil : ExchangeEnd(error: nil)
        case .metrics(let metrics):
            self.metrics = metrics
            return nil
        case .finished(let error):
            hasEnded = true
            return ExchangeEnd(error: error ?? (head == nil ? .noResponse : nil))
        }
    }

    func setPriority(_ priority: LoadPriority) {
        guard priority != self.priority else { return }
        self.priority = priority
        task?.setPriority(priority)
    }

    func stop() {
        inbox.close()
        if !hasEnded { task?.cancel() }
        task = nil
    }
}

extension WebImageError {
    fileprivate static let dataBeforeResponse = WebImageError(
        .invalidDownloadOperation, stage: .load, kind: .permanent,
        reason: "the download operation gave data before a response; give the response first")

    fileprivate static let noResponse = WebImageError(
        .invalidDownloadOperation, stage: .load, kind: .permanent,
        reason: "the download operation ended without a response; give one, or an error")
}
