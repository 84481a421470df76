import FoundationEssentials
import Synchronization
import WebImage
import WebImageTesting

/// Holds loads until the test ends them, and keeps no ended ones.
final class ForgetfulLoader: ImageLoader {
    private struct State {
        var waiting: [UInt64: Waiting] = [:]
        var lastNumber: UInt64 = 0
    }

    private struct Waiting {
        let url: URL
        let receive: @Sendable (ImageLoadEvent) -> Void
    }

    private final class Load: CancellableTask {
        private let loader: ForgetfulLoader
        private let number: UInt64

        init(_ loader: ForgetfulLoader, _ number: UInt64) {
            self.loader = loader
            self.number = number
        }

        func cancel() { loader.take(number)?.receive(.finished(.failure(.scripted))) }
    }

    private let state = Mutex(State())

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    func canLoad(_ url: URL) -> Bool { true }

    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.waiting[state.lastNumber] = Waiting(url: request.url, receive: receive)
            return state.lastNumber
        }
        return Load(self, number)
    }

    /// Ends a random waiting load, mostly with the picture of its URL's number.
    func finishOne(using random: inout SeededGenerator) {
        let numbers = state.withLock { $0.waiting.keys.sorted() }
        guard let number = numbers.randomElement(using: &random), let load = take(number) else { return }
        let fails = Int.random(in: 0..<10, using: &random) == 0
        load.receive(
            .finished(
                fails ? .failure(.scripted) : .success(ImageLoadResponse(data: Colour(numbered: load.url).file))))
    }

    private func take(_ number: UInt64) -> Waiting? { state.withLock { $0.waiting.removeValue(forKey: number) } }
}
