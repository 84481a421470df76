import WebImage
import WebImageCommandLine

/// The result of a run.
struct TransitionRecord: Encodable {
    private var effect: String?
    private var frames: Int?
    private var width: Int?
    private var height: Int?
    private var bytes: Int?
    private var milliseconds: Double?
    private var output: String?
    private var kept: Bool?
    private var error: ErrorRecord?

    init(error: ErrorRecord) { self.error = error }

    /// - Parameter path: A file that exists and is left as it is.
    init(kept path: String) {
        output = path
        kept = true
    }

    init(effect: String, frames: Int, size: PixelSize, bytes: Int, time: Duration, output: String) {
        self.effect = effect
        self.frames = frames
        width = size.width
        height = size.height
        self.bytes = bytes
        milliseconds = time.milliseconds
        self.output = output
    }

    /// `curlUp  16 frames  320x200  84.1 kB  412 ms  → out.webp`
    var text: String {
        if kept == true { return "kept  \((output ?? "").printable)" }
        let parts = [
            effect ?? "", "\(frames ?? 0) frames", "\(width ?? 0)x\(height ?? 0)", Quantity.bytes(bytes ?? 0),
            Quantity.milliseconds(milliseconds ?? 0), "→ \((output ?? "").printable)",
        ]
        return parts.joined(separator: "  ")
    }
}
