import Testing

@testable import WebImageTestDoubles

@Suite("webimage --version", .timeLimit(.minutes(5)))
struct VersionTests {
    @Test("the version is one line, and with --verbose it is told where decoders are, and how they are locked in")
    func version() async throws {
        let program = try Program()
        let plain = try await program.run("--version")
        #expect(plain.status == 0 && plain.lines.count == 1 && plain.text.hasPrefix("webimage "))
        let verbose = try await program.run("--version", "--verbose")
        #expect(verbose.status == 0 && verbose.lines.first == plain.lines.first)
        #expect(verbose.lines.dropFirst().first?.contains("webimage-decoder") == true)
        #expect(verbose.lines.last?.hasPrefix("restricted") == true)
    }
}
