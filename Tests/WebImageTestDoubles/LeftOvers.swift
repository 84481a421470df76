import Foundation

/// Does `work` twice, and returns once the second time has left no more descriptors and threads than the first. For a
/// process of the test's own; where something is left, its limit of time ends it.
func leavingNothing(_ work: () async throws -> Void) async throws {
    func entries(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? 0
    }
    try await work()
    let (descriptors, threads) = (entries("fd"), entries("task"))
    try await work()
    // The last downloader may go a moment later, on its own thread; Swift's own threads come and go.
    while entries("fd") > descriptors || entries("task") > threads + 4 { await Task.yield() }
}
