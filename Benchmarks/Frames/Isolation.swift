import Dispatch
import FoundationEssentials
import WebImage

/// Decoders in processes of their own, as the environment asks for.
enum Isolation {
    /// As the gallery does: the helper starts while the window opens.
    static func begin() {
        let environment = ProcessInfo.processInfo.environment
        let formats: DecoderIsolation.Formats
        switch environment["WEBIMAGE_ISOLATION"] {
        case "helper": formats = .beyondBuiltIn
        case "all": formats = .everything
        default: return
        }
        let isolation = DecoderIsolation(formats, helperPath: environment["WEBIMAGE_DECODER"])
        ImageCodersManager.shared.isolation = isolation
        DispatchQueue.global().async { _ = try? isolation.status() }
    }
}
