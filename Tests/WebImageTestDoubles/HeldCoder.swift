import WebImageTesting

/// A scripted coder whose decodes wait for the test.
struct HeldCoder {
    let coder: ScriptedCoder
    private let isDecoding = Gate()
    private let mayDecode = Gate()

    init() {
        coder = ScriptedCoder { [isDecoding, mayDecode] _ in
            isDecoding.open()
            mayDecode.waitBlocking()
        }
    }

    /// Returns once a decode has begun.
    func isDecodingNow() async throws { try await isDecoding.wait() }

    /// Returns once a decode has begun, and lets it and all others go on.
    func release() async throws {
        try await isDecoding.wait()
        mayDecode.open()
    }
}
