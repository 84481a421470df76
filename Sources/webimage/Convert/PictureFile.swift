import FoundationEssentials
import WebImage
import WebImageCommandLine

/// A picture's whole file, from any operand.
struct PictureFile: Sendable {
    let data: Data
    let formatOfName: ImageFormat?

    /// For formats that their bytes do not identify.
    var hint: ImageFormatHint { formatOfName.map { .format($0) } ?? .automatic }

    /// Warnings about the picture.
    var caveats: [String] {
        let isRaw = formatOfName == .raw && ImageFormat(sniffing: data) == .tiff
        return isRaw ? ["it is a camera's RAW file, of which only the preview in it is read"] : []
    }

    /// - Throws: The errors of the loader; ``WebImageError/Code/cancelled`` when the task was cancelled.
    static func read(
        _ operand: Operand, _ options: RequestOptions, progress: (@Sendable (LoadProgress) -> Void)? = nil
    ) async throws(WebImageError) -> PictureFile {
        if operand.isStandardInput {
            let data = try await LongWork.run { flag throws(WebImageError) in try StandardInput.readAll(until: flag) }
            return PictureFile(data: data, formatOfName: nil)
        }
        let url = try operand.url.get()
        let request = options.request(for: url)
        let task = DeferredCancellation()
        let response = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                task.attach(
                    ImageLoadersManager.shared.load(request) { event in
                        switch event {
                        case .finished(let result): continuation.resume(returning: result)
                        case .progress(let amount): progress?(amount)
                        case .data: break
                        }
                    })
            }
        } onCancel: {
            task.cancel()
        }
        return PictureFile(data: try response.get().data, formatOfName: operand.formatOfName)
    }
}

extension Operand {
    /// Whether the picture would have to come from the keyboard.
    var wouldBeTyped: Bool { isStandardInput && StandardInput.isTerminal }

    /// The format of the name's extension.
    var formatOfName: ImageFormat? {
        guard let url = try? url.get() else { return nil }
        return ImageFormat(fileExtension: url.lastPathComponent.nameAndExtension.extension)
    }
}

extension UsageError {
    static let typedPicture = UsageError("- would read a picture from the terminal; pipe it in or give a file name")
}

extension WebImageError {
    /// The same failure, with the name of the picture before the reason: for commands with several.
    func about(_ name: String) -> WebImageError {
        WebImageError(
            code, stage: stage, kind: kind, reason: "\(name): \(reason)", statusCode: statusCode, underlying: underlying
        )
    }
}
