import WebImageTesting

/// A transformer that adds a pixel to each side, and blocks until the test lets it continue.
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

    /// Waits until it blocks.
    func begin() async throws { try await hasBegun.wait() }

    func goOn() { mayEnd.open() }
}
