import FoundationEssentials
import Glibc
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageHTTP
@testable import WebImageTestDoubles

@Suite("Files that processes keep together")
struct SharedTextFileTests {
    static let kinds: [SharedFileContents] = [.cookies, .strictHosts]
    private static let entries = [
        "cookieFile": "a.example\tFALSE\t/\tFALSE\t0\tid\t1\n", "hstsFile": ".a.example \"20361125 20:37:40\"\n",
    ]

    private let directory: CacheDirectory
    private let path: String

    init() throws {
        directory = try CacheDirectory()
        path = directory.path + "/file"
    }

    private func error(_ work: () throws(WebImageError) -> Void) -> WebImageError? {
        do throws(WebImageError) {
            try work()
            return nil
        } catch {
            return error
        }
    }

    @Test("a file of something else is neither read nor replaced, however large it is", arguments: 0..<2)
    func foreignFile(kind: Int) throws {
        let contents = Self.kinds[kind]
        let file = SharedTextFile(path: path, contents: contents)
        for text in ["dear diary\n", "# Diary\nall was well\n", String(repeating: "film", count: 2 << 20)] {
            try Data(text.utf8).write(to: URL(filePath: path))
            let errors = [
                error { () throws(WebImageError) in _ = try file.read() },
                error { () throws(WebImageError) in
                    try file.update { _ in "" }
                },
            ]
            for error in errors {
                #expect(error?.reason.contains("has no \(contents.name) but something else") == true)
                #expect(error?.reason.contains(contents.setting) == true)
            }
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(text.utf8))
        }
        for text in [try #require(Self.entries[contents.setting]), "# comment\n", ""] {
            try Data(text.utf8).write(to: URL(filePath: path))
            #expect(try file.read() == text)
        }
    }

    @Test("a symbolic link is refused, and the reason is that it is one")
    func link() throws {
        let target = directory.path + "/target"
        let text = try #require(Self.entries["hstsFile"])
        try Data(text.utf8).write(to: URL(filePath: target))
        #expect(symlink(target, path) == 0)
        let file = SharedTextFile(path: path, contents: .strictHosts)
        for failure in [
            error { () throws(WebImageError) in _ = try file.read() },
            error { () throws(WebImageError) in
                try file.update { _ in "" }
            },
        ] {
            #expect(failure?.reason.contains("it is a symbolic link") == true, "\(String(describing: failure))")
        }
        #expect(try String(contentsOf: URL(filePath: target), encoding: .utf8) == text)
        #expect(try POSIXFileSystem().status(of: path).kind == .other)
    }

    @Test("a device and a pipe are written to, and stay what they are")
    func devices() throws {
        let null = SharedTextFile(path: "/dev/null", contents: .strictHosts)
        #expect(try null.read() == "")
        try null.update { $0 + "x" }
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try SharedTextFile(path: path, contents: .strictHosts).update { $0 + "some text" }
        var buffer = [UInt8](repeating: 0, count: 100)
        #expect(read(reader, &buffer, buffer.count) == 9)
        #expect(try POSIXFileSystem().status(of: path).kind == .other)
    }

    @Test("a pipe that nobody reads does not block")
    func unreadPipe() {
        #expect(mkfifo(path, 0o600) == 0)
        let failure = error { () throws(WebImageError) in
            try SharedTextFile(path: path, contents: .strictHosts).update { _ in "text" }
        }
        #expect(failure?.reason.contains("cannot keep hosts that want https") == true)
    }
}
