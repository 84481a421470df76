import FoundationEssentials
import WebImage
import WebImageCommandLine

/// A picture's whole file, read from wherever an operand points to.
struct PictureFile: Sendable {
    let data: Data
    /// What the name says of its format, for files that their bytes do not tell.
    let hint: ImageFormatHint

    /// - Throws: What the loader throws; ``WebImageError/Code/cancelled`` when the task was cancelled.
    static func read(_ operand: Operand, timeout: Double?) async throws(WebImageError) -> PictureFile {
        let url = try operand.url.get()
        let request = ImageLoadRequest(url: url, timeout: timeout)
        let task = DeferredCancellation()
        let response = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                task.attach(
                    ImageLoadersManager.shared.load(request) { event in
                        if case .finished(let result) = event { continuation.resume(returning: result) }
                    })
            }
        } onCancel: {
            task.cancel()
        }
        let format = ImageFormat(fileExtension: url.lastPathComponent.nameAndExtension.extension)
        return PictureFile(data: try response.get().data, hint: format.map { .format($0) } ?? .automatic)
    }
}
