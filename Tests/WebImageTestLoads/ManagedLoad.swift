import FoundationEssentials
import WebImageCore
import WebImageLoading

@testable import WebImageTestDoubles

/// A load of a manager under test: its handle, and its callbacks so far.
struct ManagedLoad {
    let operation: LoadOperation
    let story: LoadStory

    var words: [String] { story.words }

    /// The code of the only ending so far, if that is a failure.
    var failureCode: WebImageError.Code? { story.endings.count == 1 ? story.endings[0].failure?.code : nil }

    func ending() async throws -> Result<LoadResult, WebImageError> { try await story.ending() }

    /// The result; throws the load's failure.
    func result() async throws -> LoadResult { try await story.ending().get() }

    func failure() async throws -> WebImageError {
        guard let error = try await story.ending().failure else { throw TestFailure(text: "the load did not fail") }
        return error
    }

    func cancel() { operation.cancel() }
}

extension WebImageManager {
    /// Starts a load that calls back on the thread where it ends, unless its context sets a queue, and records all
    /// callbacks.
    func observed(_ request: ImageRequest) -> ManagedLoad {
        let story = LoadStory()
        var request = request
        request.context.callbackQueue = request.context.callbackQueue ?? .current
        let operation = load(
            request, progress: { story.add(.progress($0)) }, received: { story.add(.update($0)) },
            completed: { story.add(.ending($0)) })
        return ManagedLoad(operation: operation, story: story)
    }
}
