import FoundationEssentials
import WebImageCore
import WebImageTesting

/// A suspended loader that does something first, on the thread that asks it.
final class WatchedLoader: ImageLoader {
    typealias Receiver = @Sendable (ImageLoadEvent) -> Void

    let inner = SuspendedLoader()
    private let willLoad: @Sendable (Receiver) -> Void

    init(_ willLoad: @escaping @Sendable (Receiver) -> Void) { self.willLoad = willLoad }

    func canLoad(_ url: URL) -> Bool { true }

    func load(_ request: ImageLoadRequest, receive: @escaping Receiver) -> any CancellableTask {
        willLoad(receive)
        return inner.load(request, receive: receive)
    }
}
