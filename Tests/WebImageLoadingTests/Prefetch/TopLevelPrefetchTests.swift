import Foundation
import Testing

@testable import WebImageTestDoubles

@Suite("Prefetching at the top level of a program", .timeLimit(.minutes(5)))
struct TopLevelPrefetchTests {
    private static let program = Program.executable.deletingLastPathComponent().appending(path: "webimage-top-level")
    private static let picture =
        "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

    @Test("an awaited prefetch waits for its pictures at the top level, too")
    func waits() async throws {
        let ending = try await Program().run([Self.picture, "file:///none.jpg", Self.picture], by: Self.program)
        #expect(ending.lines == ["3 of 3, 1 skipped"])
        #expect(ending.status == 0)
    }
}
