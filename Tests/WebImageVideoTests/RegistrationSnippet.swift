import WebImage
import WebImageVideo

// What Docs/Formats.md and the coder's comment show, compiled.

private func register() {
    ImageCodersManager.shared.add(.video)
}
