import FoundationEssentials
import Synchronization
import WebImage
import WebImageTesting

/// Answers each load at once with the colour of its name's number, and keeps nothing of it, until the test makes loads
/// wait. (A ``SuspendedLoader`` retains its loads, and they their pictures.)
final class QuickLoader: ImageLoader {
    /// The loads that wait.
    let held = SuspendedLoader()
    private let state = Mutex((count: 0, isHolding: false))

    private final class EndedTask: CancellableTask {
        func cancel() {}
    }

    /// The number of loads.
    var count: Int { state.withLock { $0.count } }

    /// Makes later loads wait.
    func hold() { state.withLock { $0.isHolding = true } }

    func canLoad(_ url: URL) -> Bool { true }

    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        let isHolding = state.withLock { state in
            state.count += 1
            return state.isHolding
        }
        if isHolding { return held.load(request, receive: receive) }
        receive(.finished(.success(ImageLoadResponse(data: Colour(numbered: request.url).file))))
        return EndedTask()
    }
}

extension Colour {
    /// A colour for each number up to 50, and some of them again for others.
    init(numbered number: Int) { self.init(red: UInt8(number * 5 % 255), green: 200, blue: UInt8(number % 255)) }

    /// The colour for a URL that ends with a number.
    init(numbered url: URL) { self.init(numbered: Int(url.lastPathComponent) ?? 0) }
}
