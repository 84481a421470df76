import Foundation
import Testing

/// A test that waits for what never comes would hold up all others. With a limit of time it fails instead: what tests wait
/// on ends with it (see `Observed`).
@Suite("Limits of time")
struct TimeLimitTests {
    /// A type of tests, or a further part of one.
    private struct Part {
        let name: String
        var waits = false
        var isLimited = false
    }

    /// Those that are still to get one.
    private static let unlimited: Set = [
        "DiskCacheSystemTests", "DiskCacheTests", "DiskCacheTroubleTests", "DiskIndexSharingTests",
    ]

    @Test("a suite with a test that waits has a limit of time")
    func limits() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "..").standardized
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
        var parts: [Part] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            parts += Self.parts(of: try String(contentsOf: file, encoding: .utf8))
        }
        #expect(parts.count { $0.isLimited } > 50)
        let limited = Set(parts.filter(\.isLimited).map(\.name))
        for part in parts where part.waits && !limited.union(Self.unlimited).contains(part.name) {
            Issue.record("\(part.name) waits without end where something is broken: add .timeLimit(.minutes(5)) to it")
        }
    }

    /// A line without indentation begins a part; indented lines belong to the one before them.
    private static func parts(of source: String) -> [Part] {
        var parts: [Part] = []
        var attributes = ""
        var test = ""
        for line in source.split(separator: "\n") {
            let words = line.split { " {:<(".contains($0) }
            if let keyword = words.firstIndex(where: { ["struct", "extension", "class", "actor"].contains($0) }),
                line.first != " ", line.first != "/", keyword + 1 < words.endIndex
            {
                attributes += line
                parts.append(Part(name: String(words[keyword + 1]), isLimited: attributes.contains(".timeLimit(")))
                attributes = ""
            } else if parts.isEmpty || line.first != " " {
                attributes += line == "}" ? "" : line
            } else if line.hasPrefix("    @Test") || !test.isEmpty && !line.hasPrefix("    func ") {
                test += line
            } else if line.hasPrefix("    func ") {
                // A test may have a limit of its own.
                let waits = !test.isEmpty && line.contains(") async") && !test.contains(".timeLimit(")
                if waits { parts[parts.count - 1].waits = true }
                test = ""
            }
        }
        return parts
    }
}
