import FoundationEssentials
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles

/// Records all callbacks of one load in order, so that a test can wait for some of them and read them like a story.
final class LoadStory: Sendable {
    enum Event: Sendable {
        case progress(LoadProgress)
        case update(LoadEvent)
        case ending(Result<LoadResult, WebImageError>)
    }

    private let told = Observed<[Event]>([])

    var events: [Event] { told.value }

    /// The events as words: `progress 10`, `cached memory 2x2`, `preview disk 2x2`, `partial 2x2`, `loaded 4x3`, `disk 4x3`, `failed 2002`.
    var words: [String] { events.map(\.words) }

    /// Every ending so far; more than one is a fault.
    var endings: [Result<LoadResult, WebImageError>] { events.compactMap(\.ending) }

    var partials: [Image] {
        events.compactMap { if case .update(.partial(let image)) = $0 { image } else { nil } }
    }

    func add(_ event: Event) { told.update { $0.append(event) } }

    /// The first ending; waits for it.
    func ending() async throws -> Result<LoadResult, WebImageError> {
        let events = try await told.wait { $0.contains { $0.ending != nil } }
        return try events.compactMap(\.ending).first ?? { throw TestFailure(text: "no ending") }()
    }

    /// Returns once there are `count` events.
    func waitForEvents(_ count: Int) async throws { try await told.wait { $0.count >= count } }
}

extension LoadStory.Event {
    var ending: Result<LoadResult, WebImageError>? {
        if case .ending(let result) = self { result } else { nil }
    }

    var words: String {
        switch self {
        case .progress(let progress): "progress \(progress.receivedByteCount)"
        case .update(.cached(let result)): "cached \(result.words)"
        case .update(.preview(let result)): "preview \(result.words)"
        case .update(.partial(let image)): "partial \(image.pixelSize.words)"
        case .update(.progress), .update(.finished): "an event that has a closure of its own"
        case .ending(.success(let result)): result.words
        case .ending(.failure(let error)): "failed \(error.code.rawValue)"
        }
    }
}

extension LoadResult {
    fileprivate var words: String {
        "\(cacheType == .noCache ? "loaded" : cacheType.description) \(image.pixelSize.words)"
    }
}

extension PixelSize {
    fileprivate var words: String { "\(width)x\(height)" }
}
