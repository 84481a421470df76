import Testing
import WebImageCore

/// A format that nothing writes here is left out by all tests that read what they have written; this one says so.
@Suite("Encoders that the tests need")
struct EncoderPresenceTests {
    private static let missing = CoderCase.all.map(\.format).filter { CoderCase.writable($0) == nil }

    @Test(
        "this machine can write AVIF, HEIC and JPEG XL",
        .enabled(
            if: missing.isEmpty, "no encoder is installed of \(missing.map(\.description).joined(separator: ", "))"))
    func presence() { #expect(CoderCase.writable.count == 3) }
}

extension Trait where Self == ConditionTrait {
    /// For tests that read a file which they have written in `format`.
    static func needsEncoder(of format: ImageFormat) -> Self {
        .enabled(if: CoderCase.writable(format) != nil, "no encoder is installed of \(format.description)")
    }
}
