import Foundation
import Testing

@Suite("README")
struct ReadmeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Each text between two marks.
    private static func blocks(in text: String, from start: String, to end: String) -> [String] {
        text.components(separatedBy: start).dropFirst().compactMap { $0.components(separatedBy: end).first }
    }

    private static func compiled() throws -> Set<String> {
        let files = ["Tests/WebImageDocumentationTests", "Tests/WebImageGTKTests"].flatMap { folder -> [URL] in
            let enumerator = FileManager.default.enumerator(
                at: root.appending(path: folder), includingPropertiesForKeys: nil)
            return (enumerator?.allObjects as? [URL] ?? []).filter { $0.lastPathComponent == "ReadmeSnippets.swift" }
        }
        let snippets = try files.flatMap { file in
            Self.blocks(in: try String(contentsOf: file, encoding: .utf8), from: "// snippet: ", to: "// end\n")
        }
        return Set(snippets.compactMap { $0.split(separator: "\n", maxSplits: 1).last.map(String.init) })
    }

    @Test("every Swift snippet is one that is compiled")
    func snippets() throws {
        let shown = Self.blocks(in: try Self.text("README.md"), from: "```swift\n", to: "```\n")
        let compiled = try Self.compiled()
        #expect(shown.count == 2)
        for snippet in shown {
            #expect(compiled.contains(snippet), "README.md shows what no ReadmeSnippets.swift compiles:\n\(snippet)")
        }
    }

    /// `scripts/consumer` builds a package from it.
    @Test("the page about installing has one manifest")
    func manifest() throws {
        let shown = Self.blocks(in: try Self.text("Docs/Installing.md"), from: "```swift\n", to: "```\n")
        #expect(shown.count == 1)
        #expect(shown[0].hasPrefix("// swift-tools-version"))
    }

    @Test(
        "every file that a page links to is there",
        arguments: [
            "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Docs/Gallery.md", "Docs/HugePictures.md",
            "Docs/Installing.md", "Docs/Limits.md", "Docs/Loading.md", "Docs/Parity.md", "Docs/PhotoBrowser.md",
            "Docs/Testing.md", "Docs/Toolkits.md", "Docs/Transitions.md", "Docs/Views.md",
        ])
    func links(page: String) throws {
        let folder = Self.root.appending(path: page).deletingLastPathComponent()
        let targets = Self.blocks(in: try Self.text(page), from: "](", to: ")")
        for target in targets where !target.contains("://") {
            // A link within the page has no path.
            let path = target.hasPrefix("#") ? "" : target.split(separator: "#").first.map(String.init) ?? ""
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: path).path), "\(target)")
        }
    }
}
