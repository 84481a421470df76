import FoundationEssentials
import WebImageCore

/// A load that is one Swift task.
final class ClosureLoadTask: CancellableTask {
    private let url: URL
    private let receiver: LoadReceiver
    private let task: Task<Void, Never>

    /// Starts `load`, whose bytes or error end the load.
    init(
        _ request: ImageLoadRequest, load: @escaping ClosureImageLoader.Load, receive: @escaping LoadReceiver.Receive
    ) {
        let receiver = LoadReceiver(receive)
        url = request.url
        self.receiver = receiver
        task = Task(priority: TaskPriority(request.priority)) {
            let result = await Self.result(of: load, for: request)
            receiver.take()?(.finished(result))
        }
    }

    /// Also a closure that ignores its cancellation ends the load now.
    func cancel() {
        task.cancel()
        receiver.take()?(.finished(.failure(.cancelled(url: url))))
    }

    /// A task that has begun can only become more urgent.
    func setPriority(_ priority: LoadPriority) { task.escalatePriority(to: TaskPriority(priority)) }

    private static func result(
        of load: ClosureImageLoader.Load, for request: ImageLoadRequest
    ) async -> Result<ImageLoadResponse, WebImageError> {
        do {
            let data = try await load(request)
            return data.isEmpty ? .failure(.emptyResult.about(request.url)) : .success(ImageLoadResponse(data: data))
        } catch let error as WebImageError {
            return .failure(error.url == nil ? error.about(request.url) : error)
        } catch is CancellationError {
            return .failure(.cancelled(url: request.url))
        } catch {
            return .failure(.closureFailed(error).about(request.url))
        }
    }
}

extension TaskPriority {
    fileprivate init(_ priority: LoadPriority) {
        self =
            switch priority {
            case .low: .low
            case .normal: .medium
            case .high, .veryHigh: .high
            }
    }
}

extension WebImageError {
    fileprivate static let emptyResult = WebImageError(
        .badImageData, stage: .load, kind: .permanent, reason: "the loader's closure returned no bytes")

    fileprivate static func closureFailed(_ error: any Error) -> WebImageError {
        WebImageError(
            .transferFailed, stage: .load, kind: .transient, reason: "the loader's closure failed: \(error)",
            underlying: error)
    }
}
