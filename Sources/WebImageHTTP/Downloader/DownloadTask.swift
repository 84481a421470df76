import FoundationEssentials
import WebImageCore

/// One load of a ``WebImageDownloader``, which may share its transfer with others.
///
/// The transfer thread delivers all of its events, so that none follows its end.
final class DownloadTask: CancellableTask {
    let load: PreparedLoad
    private let receiver: LoadReceiver
    private let cancellation = CancellationFlag()
    private let mailbox: TransferMailbox

    init(_ load: PreparedLoad, mailbox: TransferMailbox, receive: @escaping LoadReceiver.Receive) {
        self.load = load
        self.mailbox = mailbox
        receiver = LoadReceiver(receive)
        mailbox.loadBegan()
    }

    /// True from the cancellation on; the end follows.
    var isCancelled: Bool { cancellation.isCancelled }

    /// Whether the load wants bytes as they arrive. The bytes of an encrypted body are of no use before they are
    /// decrypted.
    var reportsData: Bool { load.reportsData && load.decryptor == nil }

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

    /// Delivers the end; only the first one counts. A load that was cancelled before gets no bytes.
    func finish(_ result: Result<ImageLoadResponse, WebImageError>) {
        guard let receive = receiver.take() else { return }
        mailbox.loadEnded()
        receive(.finished(isCancelled ? .failure(cancellation(after: result)) : result.mapError(about)))
    }

    private func cancellation(after result: Result<ImageLoadResponse, WebImageError>) -> WebImageError {
        var error = WebImageError.cancelled(url: load.requestedURL)
        error.metrics = result.metrics
        return error
    }

    private func about(_ error: WebImageError) -> WebImageError { error.about(load.requestedURL) }
}
