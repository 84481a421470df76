import Glibc
import WebImage
import WebImageAVIF
import WebImageSVG

/// The same coders in this process, and in processes of their own.
enum WorkerCoders {
    /// The helper program; nil where it was not built.
    static let helperPath = getenv("WEBIMAGE_DECODER").map { String(cString: $0) }

    static let inProcess = make(.inProcess)
    static let perPicture = make(DecoderIsolation(.everything, helperPath: helperPath))
    static let perOrigin = make(DecoderIsolation(.everything, helperPath: helperPath, workers: .perOrigin))

    private static func make(_ isolation: DecoderIsolation) -> ImageCodersManager {
        let manager = ImageCodersManager(coders: ImageCodersManager.shared.coders + [.avif, .svg])
        manager.isolation = isolation
        return manager
    }
}
