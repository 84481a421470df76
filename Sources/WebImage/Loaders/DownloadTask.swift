import FoundationEssentials

/// One load of a ``WebImageDownloader``, which may share its transfer with others.
///
/// All of its events come from the transfer thread, so that none can follow its ending.
final class DownloadTask: ImageLoadTask {
    let request: ImageLoadRequest
    let key: TransferKey
    private let receiver: LoadReceiver
    private let cancellation = CancellationFlag()
    private let mailbox: TransferMailbox

    init(_ request: ImageLoadRequest, mailbox: TransferMailbox, receive: @escaping LoadReceiver.Receive) {
        self.request = request
        self.mailbox = mailbox
        key = TransferKey(url: request.url.absoluteString, headers: request.headers)
        receiver = LoadReceiver(receive)
        mailbox.loadBegan()
    }

    /// True from the moment somebody asked; the ending follows.
    var isCancelled: Bool { cancellation.isCancelled }

    func cancel() {
        guard !isCancelled else { return }
        cancellation.cancel()
        mailbox.post(.cancel(self))
    }

    func setPriority(_ priority: LoadPriority) {
        mailbox.post(.prioritize(self, priority))
    }

    func report(_ progress: LoadProgress) {
        guard !isCancelled else { return }
        receiver.report(progress)
    }

    func report(_ data: Data) {
        guard !isCancelled else { return }
        receiver.report(data)
    }

    /// Tells the ending; the first one counts. A load that was cancelled in time never hears of bytes.
    func finish(_ result: Result<ImageLoadResponse, WebImageError>) {
        guard let receive = receiver.take() else { return }
        mailbox.loadEnded()
        receive(.finished(isCancelled ? .failure(.cancelled(url: request.url)) : result.mapError(about)))
    }

    private func about(_ error: WebImageError) -> WebImageError { error.about(request.url) }
}

/// Loads with equal keys share one transfer: what the server is asked is the same.
struct TransferKey: Hashable {
    let url: String
    let headers: [String: String]
}
