import Foundation
import Testing

@Suite("Documentation of symbols")
struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    /// An example as it stands in the comment of a symbol: its lines without indentation and alignment.
    struct Example {
        let file: String
        let lines: [String]
    }

    /// Only what is public: the example of an internal type is compiled by nobody else either.
    private static let internalFiles: Set = ["PixelAssembler.swift"]

    private static func examples() throws -> [Example] {
        let sources = root.appending(path: "Sources/WebImage")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?.allObjects ?? []
        return try files.compactMap { $0 as? URL }
            .filter { $0.pathExtension == "swift" && !internalFiles.contains($0.lastPathComponent) }
            .flatMap { file in
                try examples(in: String(contentsOf: file, encoding: .utf8), file: file.lastPathComponent)
            }
    }

    private static func examples(in text: String, file: String) -> [Example] {
        text.components(separatedBy: "/// ```swift\n").dropFirst().map { rest in
            let example = rest.components(separatedBy: "/// ```\n").first ?? ""
            return Example(file: file, lines: lines(of: example.replacing("///", with: "")))
        }
    }

    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
    }

    @Test("every Swift example is one that is compiled")
    func examples() throws {
        let snippets = Self.root.appending(path: "Tests/WebImageTests/Documentation/DocumentationSnippets.swift")
        let compiled = Self.lines(of: try String(contentsOf: snippets, encoding: .utf8))
        let examples = try Self.examples()
        #expect(examples.count > 20)
        for example in examples {
            let isCompiled = !example.lines.isEmpty && compiled.contains(example.lines)
            #expect(
                isCompiled, "\(example.file) shows what DocumentationSnippets.swift does not compile: \(example.lines)")
        }
    }
}
