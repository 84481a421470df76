import FoundationEssentials
import WebImage
import WebImageCommandLine

/// Loads the picture in standard input, for the operand `-`.
final class StandardInputLoader: ImageLoader {
    /// A file's address, since files are not cached.
    static let url = URL(filePath: "/dev/stdin")

    private let queue = JobQueue(label: "webimage.standard-input", limit: 1)

    func canLoad(_ url: URL) -> Bool { url == Self.url }

    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        let task = Reading()
        queue.submit {
            receive(
                .finished(
                    Result { () throws(WebImageError) in
                        ImageLoadResponse(data: try StandardInput.readAll(until: task.flag))
                    }))
        }
        return task
    }

    private final class Reading: CancellableTask {
        let flag = CancellationFlag()

        func cancel() { flag.cancel() }
    }
}

extension Operand {
    /// The URL, also of the picture in standard input.
    var pictureURL: Result<URL, WebImageError> { isStandardInput ? .success(StandardInputLoader.url) : url }
}
