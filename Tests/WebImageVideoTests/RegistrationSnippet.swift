import WebImage
import WebImageVideo

// The code of Docs/Formats.md and of the coder's comment, compiled.

private func register() {
    ImageCodersManager.shared.add(.video)
}
