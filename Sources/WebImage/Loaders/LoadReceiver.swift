import FoundationEssentials
import Synchronization

/// The caller's closure of one load, which hears of one ending and is let go with it.
final class LoadReceiver: Sendable {
    typealias Receive = @Sendable (ImageLoadEvent) -> Void

    private let receive: Mutex<Receive?>

    init(_ receive: @escaping Receive) {
        self.receive = Mutex(receive)
    }

    func report(_ progress: LoadProgress) {
        receive.withLock { $0 }?(.progress(progress))
    }

    func report(_ data: Data) {
        receive.withLock { $0 }?(.data(data))
    }

    /// The closure, for the one who may tell it the ending; nil for all who come later.
    func take() -> Receive? {
        receive.withLock { receive in
            defer { receive = nil }
            return receive
        }
    }
}
