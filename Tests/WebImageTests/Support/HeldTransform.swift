import WebImage
import WebImageTesting

/// A transformer that adds a pixel to each side, and stands still within until the test lets it go on.
struct HeldTransform: Sendable {
    private let hasBegun = Gate()
    private let mayEnd = Gate()

    var transformer: ScriptedTransformer {
        ScriptedTransformer { [hasBegun, mayEnd] image in
            hasBegun.open()
            mayEnd.waitBlocking()
            return image.grown
        }
    }

    /// Waits until it stands still.
    func begin() async throws { try await hasBegun.wait() }

    func goOn() { mayEnd.open() }
}
