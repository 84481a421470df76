import Foundation
import Testing
import WebImage

@Suite("Documentation of symbols")
struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    /// An example in the comment of a symbol: its lines without indentation and alignment.
    struct Example {
        let file: String
        let lines: [String]
    }

    /// Only public symbols: the examples of internal types are not compiled.
    private static let internalFiles: Set = ["PixelAssembler.swift"]

    /// The last three need GTK.
    private static let snippets = [
        "Examples/Toolkit/Sources/Toolkit/BitmapView.swift", "Examples/Toolkit/Sources/Toolkit/Canvas.swift",
        "Examples/Toolkit/Sources/Toolkit/Check.swift",
        "Tests/WebImageDocumentationTests/DocumentationSnippets.swift",
        "Tests/WebImageDocumentationTests/CachingSnippets.swift",
        "Tests/WebImageDocumentationTests/LoadingSnippets.swift",
        "Tests/WebImageDocumentationTests/TestingSnippets.swift",
        "Tests/WebImageDocumentationTests/TransformingSnippets.swift",
        "Tests/WebImageDocumentationTests/TilesSnippets.swift",
        "Tests/WebImageLoadingTests/Coders/FlipbookCoder.swift",
        "Tests/WebImageMemcachedTests/TiersSnippets.swift", "Tests/WebImageServerTests/ServerSnippets.swift",
        "Examples/Tier/Sources/Tier/DirectoryTier.swift", "Examples/Tier/Sources/Tier/Check.swift",
        "Examples/Coder/Sources/Coder/RowsCoder.swift", "Examples/Coder/Sources/Coder/RowsFrames.swift",
        "Examples/Coder/Sources/Coder/RowsFile.swift", "Examples/Transition/Sources/Transition/Curtain.swift",
        "Examples/Transition/Sources/Transition/main.swift",
        "Tests/WebImageGTKTests/TestingSnippets.swift", "Tests/WebImageGTKTests/ViewsSnippets.swift",
        "Tests/WebImageGTKTests/AnimationsSnippets.swift", "Tests/WebImageGTKTests/PhotoBrowserSnippets.swift",
        "Tests/WebImageGTKTests/RecipesSnippets.swift",
    ]

    private static func examples() throws -> [Example] {
        let targets = [
            "Core", "Pixels", "Coders", "Isolation", "Cache", "HTTP", "Loading", "Presentation", "GTK",
            "Memcached", "Server",
        ]
        let files = targets.flatMap { target in
            let folder = root.appending(path: "Sources/WebImage\(target)")
            return FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
        }
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

    private static func pageExamples(_ page: String) throws -> [Example] {
        let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
        return text.components(separatedBy: "```swift\n").dropFirst().map { rest in
            Example(file: page, lines: lines(of: rest.components(separatedBy: "```\n").first ?? ""))
        }
    }

    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
    }

    @Test("every Swift example is one that is compiled")
    func examples() throws {
        let examples = try Self.examples()
        #expect(examples.count > 20)
        try check(examples)
    }

    @Test(
        "every Swift example of a page is one that is compiled",
        arguments: [
            "Docs/Animations.md", "Docs/Caching.md", "Docs/Coders.md", "Docs/HugePictures.md",
            "Docs/Isolation.md", "Docs/Toolkits.md",
            "Docs/Loading.md", "Docs/MigrationFromSDWebImage.md",
            "Docs/PhotoBrowser.md", "Docs/Recipes.md", "Docs/Testing.md", "Docs/Transforming.md", "Docs/Transitions.md",
            "Docs/Server.md", "Docs/Tiers.md", "Docs/Views.md",
        ])
    func pages(page: String) throws {
        let examples = try Self.pageExamples(page)
        #expect(!examples.isEmpty)
        try check(examples)
    }

    @Test("the page for a format in the library itself names all files of the sources that name one")
    func formatFiles() throws {
        let page = try String(contentsOf: Self.root.appending(path: "Docs/Coders.md"), encoding: .utf8)
        let sources = Self.root.appending(path: "Sources")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?.allObjects ?? []
        for file in files.compactMap({ $0 as? URL }) where file.pathExtension == "swift" {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            let isNamed = page.contains("`\(file.lastPathComponent)`") || file.path.contains("/WebImageJXL/")
            let code = lines.filter { !$0.contains("///") && ($0.contains("jpegXL") || $0.contains("JXL")) }
            #expect(isNamed || code.isEmpty, "\(file.lastPathComponent) is a file for each format: \(code)")
        }
    }

    @Test("the page for apps that come from SDWebImage has a line for every option")
    func migration() throws {
        let page = try String(contentsOf: Self.root.appending(path: "Docs/MigrationFromSDWebImage.md"), encoding: .utf8)
        for name in WebImageOptions(rawValue: .max).names {
            #expect(page.contains("| `.\(name)`"), "no line for .\(name)")
        }
    }

    @Test(
        "the page for apps that come from SDWebImage and MWPhotoBrowser names what takes a member's place",
        arguments: [
            ("operationClass", "downloadOperation"), ("SDWebImageCacheMemoryOnly", ".cacheMemoryOnly"),
            ("sd_croppedImage(with:)", "cropped(to:)"), ("SDAnimatedImage(named:)", "Image(named:in:)"),
            ("animatedImageFrame(at:)", "frame(at:)"),
            ("ie_transitionFadeLoadImage(_:placeholder:)", "`transitionFadeLoadImage(_:placeholder:)`"),
            ("showNextPhotoAnimated(_:)", "showNextPhoto(animated:)"), ("enableSwipeToDismiss", "the same"),
            ("photoBrowser(_:thumbPhotoAtIndex:)", "photoBrowser(_:thumbPhotoAt:)"),
            ("loadUnderlyingImageAndNotify()", "loadUnderlyingImage(covering:)"),
        ])
    func replacements(former: String, present: String) throws {
        let page = try String(contentsOf: Self.root.appending(path: "Docs/MigrationFromSDWebImage.md"), encoding: .utf8)
        let lines = page.split(separator: "\n").filter { $0.contains(former) }
        #expect(lines.contains { $0.contains(present) }, "no line leads from \(former) to \(present)")
    }

    @Test("the page for apps that come from MWPhotoBrowser has every property of the browser that an app may set")
    func browserMembers() throws {
        func read(_ path: String) throws -> String {
            try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        }
        let page = try read("Docs/MigrationFromSDWebImage.md")
        // Properties that MWPhotoBrowser does not have.
        let own: Set = ["handoffStrategy", "longPictureRatio", "dataSource", "delegate"]
        let settings = try read("Docs/PublicAPI.txt").split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ")
            guard words.count > 2, words[1].hasPrefix("PhotoBrowser."), line.contains(" var "),
                !line.hasSuffix("{ get }")
            else { return nil }
            return words[1].dropFirst("PhotoBrowser.".count).trimmingCharacters(in: [":"])
        }
        #expect(settings.count > 10)
        for name in settings where !own.contains(name) { #expect(page.contains("`\(name)`"), "\(name)") }
    }

    private func check(_ examples: [Example]) throws {
        let compiled = try Self.snippets.flatMap { path in
            Self.lines(of: try String(contentsOf: Self.root.appending(path: path), encoding: .utf8))
        }
        for example in examples {
            let isCompiled = !example.lines.isEmpty && compiled.contains(example.lines)
            #expect(
                isCompiled, "\(example.file) shows what no file of snippets compiles: \(example.lines)")
        }
    }
}
