import Foundation
import Testing
import WebImage
import WebImageTesting

@testable import WebImageTestDoubles

/// Each kind of bad input prints one line on standard error, exits with the right status, and leaves neither a file nor
/// a cache entry.
@Suite("Command line: bad input", .timeLimit(.minutes(5)))
struct BadInputTests {
    private let origin: LoopbackOrigin
    private let program: Program

    init() throws {
        origin = try LoopbackOrigin()
        program = try Program()
    }

    /// The expected form of a failure.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var operand = ""
        var response: OriginResponse?
        let code: WebImageError.Code
        let kind: WebImageError.Kind
        let says: String
    }

    private var photoPath: String {
        get throws {
            try Self.photo.write(to: program.directory.appending(path: "photo.jpg"))
            return program.directory.appending(path: "photo.jpg").path
        }
    }

    private static let photo = (try? Fixtures.data("photo.jpg")) ?? Data()

    static let cases = [
        Case(testDescription: "no host", operand: "http://", code: .invalidURL, kind: .permanent, says: "host"),
        Case(
            testDescription: "not a URL", operand: "http://[::1/a.jpg", code: .invalidURL, kind: .permanent,
            says: "not a URL"),
        Case(
            testDescription: "empty operand", operand: "", code: .invalidURL, kind: .permanent, says: "there is no URL"),
        Case(
            testDescription: "unknown scheme", operand: "gopher://127.0.0.1/a.jpg", code: .unsupportedScheme,
            kind: .permanent, says: "gopher"),
        Case(
            testDescription: "no such file", operand: "none.jpg", code: .fileNotFound, kind: .permanent, says: "no such"
        ),
        Case(testDescription: "directory", operand: ".", code: .fileFailed, kind: .permanent, says: "directory"),
        Case(
            testDescription: "broken data: URL", operand: "data:image/png;base64,@@@@", code: .invalidURL,
            kind: .permanent, says: "base64"),
        Case(
            testDescription: "unknown host", operand: "http://nowhere.invalid/a.jpg", code: .cannotFindHost,
            kind: .transient, says: "nowhere.invalid"),
        Case(
            testDescription: "refused", operand: "http://127.0.0.1:1/a.jpg", code: .cannotConnect, kind: .transient,
            says: "127.0.0.1"),
        Case(
            testDescription: "404", response: .status(404), code: .invalidDownloadStatusCode, kind: .permanent,
            says: "404"),
        Case(
            testDescription: "500", response: .status(500), code: .invalidDownloadStatusCode, kind: .transient,
            says: "500"
        ),
        Case(
            testDescription: "redirect loop", response: .redirect(to: "/case"), code: .tooManyRedirects,
            kind: .permanent, says: "redirect"),
        Case(
            testDescription: "redirect to file:", response: .redirect(to: "file:///etc/hostname"),
            code: .unsupportedScheme, kind: .permanent, says: "redirect"),
        Case(
            testDescription: "empty body", response: .picture(Data(), contentType: "image/png"), code: .badImageData,
            kind: .transient, says: "empty"),
        Case(
            testDescription: "HTML as image/png", response: .text("<!doctype html><p>Hello", contentType: "image/png"),
            code: .badImageData, kind: .transient, says: "HTML"),
        Case(
            testDescription: "body cut by the connection",
            response: OriginResponse.picture(photo).closed(afterBytes: 500),
            code: .connectionLost, kind: .transient, says: "500"),
        Case(
            testDescription: "body cut in the file", response: .picture(photo.prefix(500)), code: .truncatedImageData,
            kind: .permanent, says: "ends"),
        Case(
            testDescription: "65,000 × 65,000 pixels", response: .picture(hugePNG), code: .limitExceeded, kind: .policy,
            says: "65000"),
    ]

    @Test("every kind of failure is one clear line, exit 1 and no file", arguments: cases)
    func failure(_ bad: Case) async throws {
        if let response = bad.response { origin.serve("/case", response) }
        let operand = bad.response == nil ? bad.operand : origin.url("/case").absoluteString
        let run = try await program.run("load", "--json", "-o", "x.png", "--", operand)
        #expect(run.status == 1)
        try #require(run.errorLines.count == 1, "\(run.errors)")
        #expect(run.errors.hasPrefix("webimage: \(operand): "), "\(run.errors)")
        #expect(run.errors.contains(bad.says), "\(run.errors)")
        let error = try #require(try run.objects().first?["error"] as? [String: Any])
        #expect(error["code"] as? Int == bad.code.rawValue, "\(error)")
        #expect(error["kind"] as? String == "\(bad.kind)", "\(error)")
        #expect(program.files.isEmpty)
        #expect(try await program.run("cache", "stats", "--json").objects().first?["entries"] as? Int == 0)
    }

    @Test("a silent server is a time-out")
    func timeout() async throws {
        origin.serve("/case", OriginResponse.picture(Self.photo).stalling(afterBytes: 100))
        let run = try await program.run("load", origin.url("/case").absoluteString, "--timeout", "0.1", "--json")
        #expect(run.status == 1 && run.errorLines.count == 1)
        #expect((try run.objects().first?["error"] as? [String: Any])?["code"] as? Int == 3001)
    }

    @Test("one failure does not keep the others from being loaded")
    func others() async throws {
        origin.serve("/a.jpg", .picture(Self.photo))
        let run = try await program.run(
            "load", "none.jpg", origin.url("/a.jpg").absoluteString, "ftp://x/y", "-o", "out/")
        #expect(run.status == 1 && run.lines.count == 1 && run.errorLines.count == 2)
        #expect(program.files == ["out", "out/a.jpg"])
    }

    @Test(
        "an output that cannot be written is one clear line, and no file is half-written",
        arguments: [
            ("/dev/full", "No space left on device"), ("file/deep/a.jpg", "Not a directory"),
            ("file/a.jpg", "Not a directory"), ("/proc/a.jpg", "cannot write"), ("file/", "cannot make the directory"),
        ])
    func outputs(output: String, says: String) async throws {
        try Data("x".utf8).write(to: program.file("file"))
        origin.serve("/a.jpg", .picture(Self.photo))
        let run = try await program.run("load", origin.url("/a.jpg").absoluteString, "-o", output)
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(run.errorLines.count == 1 && run.errors.contains(says), "\(run.errors)")
        #expect(program.files == ["file"])
        #expect(try Data(contentsOf: program.file("file")) == Data("x".utf8))
    }

    @Test("a full disk under standard output is an error, for reports and for pictures")
    func fullOutput() async throws {
        origin.serve("/a.jpg", .picture(Self.photo))
        let url = origin.url("/a.jpg").absoluteString
        for arguments in [["load", url], ["load", url, "-o", "-"], ["info", url], ["--help"], ["cache", "stats"]] {
            let full = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
            let run = try await program.run(arguments, output: full)
            #expect(run.status == 1 && run.errorLines.count == 1, "\(arguments)")
            #expect(run.errors.contains("standard output: No space left on device"), "\(run.errors)")
        }
    }

    @Test("a closed pipe ends it quietly, and files are written nevertheless")
    func closedPipe() async throws {
        origin.serve("/a.jpg", .picture(Self.photo))
        let url = origin.url("/a.jpg").absoluteString
        for arguments in [["load", url, url, "-o", "out/"], ["load", url, "-o", "-"], ["info", url], ["--help"]] {
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            let run = try await program.run(arguments, output: pipe.fileHandleForWriting)
            #expect(run.status == 1 && !run.errors.contains("webimage:"), "\(arguments): \(run.errors)")
        }
        #expect(program.files == ["out", "out/a-2.jpg", "out/a.jpg"])
    }

    @Test("a cache named by --cache that cannot be written is an error before any load")
    func unwritableCache() async throws {
        try Data().write(to: program.file("file"))
        let run = try await program.run("load", origin.url("/a.jpg").absoluteString, "--cache", "file/cache")
        #expect(run.status == 1 && run.errorLines.count == 1 && run.errors.contains("file"))
        #expect(origin.requests.isEmpty)
    }

    @Test("a default cache that cannot be written is a warning, and the picture is loaded nevertheless")
    func unwritableUsualCache() async throws {
        try Data().write(to: program.file("file"))
        origin.serve("/a.jpg", .picture(Self.photo))
        let environment = ["XDG_CACHE_HOME": program.file("file").path]
        let run = try await program.run(
            ["load", origin.url("/a.jpg").absoluteString, "-o", "a.jpg"], environment: environment)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errorLines.count == 1 && run.errors.hasPrefix("webimage: warning: "), "\(run.errors)")
        #expect(try Data(contentsOf: program.file("a.jpg")) == Self.photo)
    }

    @Test(
        "a wrong command line is one line that names the help, and exit 2",
        arguments: [
            [], ["laod"], ["--nonsense"], ["load"], ["info"], ["cache"], ["cache", "burn"],
            ["cache", "stats", "clear"],
            ["load", "x", "--quality", "200"], ["load", "a", "b", "-o", "x.png"], ["info", "--raw", "x"],
        ])
    func usage(arguments: [String]) async throws {
        let run = try await program.run(arguments)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errorLines.count == 1)
        #expect(run.errors.hasPrefix("webimage: ") && run.errors.contains("--help)"), "\(run.errors)")
        #expect(program.files.isEmpty)
    }

    @Test("an argument that is not UTF-8 is refused, since it would name another file; its URL works")
    func bytesInNames() async throws {
        let run = try await program.run(
            script: "cp \"$1\" a$(printf '\\377').jpg && \"$0\" load a$(printf '\\377').jpg", try photoPath)
        #expect(run.status == 2 && run.errorLines.count == 1 && run.errors.contains("not UTF-8"), "\(run.errors)")
        let url = program.file("a").absoluteString + "%FF.jpg"
        #expect(try await program.run("load", url).status == 0)
    }

    @Test("descriptors that a parent has closed are not taken for standard output and standard error")
    func closedDescriptors() async throws {
        origin.serve("/a.jpg", .picture(Self.photo))
        let url = origin.url("/a.jpg").absoluteString
        let output = try await program.run(script: "exec \"$0\" load \"$1\" -o a.jpg >&-", url)
        #expect(output.status == 1)
        #expect(output.errorLines == ["webimage: cannot write to standard output: Bad file descriptor"])
        let all = try await program.run(script: "exec \"$0\" load --refresh \"$1\" none.jpg -o out/ <&- >&- 2>&-", url)
        #expect(all.status == 1)
        #expect(program.files == ["a.jpg", "out", "out/a.jpg"])
        #expect(try Data(contentsOf: program.file("out/a.jpg")) == Self.photo)
    }

    @Test("an unreadable cache is an error, not an empty one", arguments: ["stats", "clear"])
    func unreadableCache(action: String) async throws {
        try Data().write(to: program.file("file"))
        let run = try await program.run("cache", action, "--cache", "file")
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(run.errorLines.count == 1 && run.errors.contains("Not a directory"), "\(run.errors)")
    }

    @Test("a directory that cannot be created is reported with the system's reason")
    func unmakeableDirectory() async throws {
        // No file system accepts such a name, even from root; the missing directory is not the reason.
        let name = String(repeating: "n", count: 300)
        let run = try await program.run("load", "a.jpg", "-o", "\(name)/")
        #expect(run.status == 1 && run.errors.contains("cannot make the directory"), "\(run.errors)")
        #expect(run.errors.contains("File name too long"), "\(run.errors)")
        #expect(!run.errors.contains("No such file"), "\(run.errors)")
    }

    @Test("a password in an address is not repeated in messages and reports")
    func password() async throws {
        let run = try await program.run("load", "http://me:secret@127.0.0.1:1/a.jpg")
        #expect(run.status == 1 && run.errorLines.count == 1)
        #expect(run.errors.hasPrefix("webimage: http://me:***@127.0.0.1:1/a.jpg: "), "\(run.errors)")
    }

    @Test("control characters of untrusted text do not reach the terminal")
    func controlCharacters() async throws {
        let run = try await program.run("load", "\u{1B}[2J\u{7}\n.jpg")
        #expect(run.status == 1 && run.errorLines.count == 1)
        #expect(!run.errors.dropLast().unicodeScalars.contains { $0.value < 32 })
    }

    /// A PNG whose header says 65,000 × 65,000 pixels of truecolour, and which ends after it.
    private static let hugePNG: Data = {
        let size: [UInt8] = [0, 0, 0xFD, 0xE8, 0, 0, 0xFD, 0xE8]
        let chunk = Array("IHDR".utf8) + size + [8, 2, 0, 0, 0]
        var checksum: UInt32 = 0xFFFF_FFFF
        for byte in chunk {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum >> 1 ^ (checksum & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        let end = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: ~checksum >> $0) }
        return Data(signature + chunk + end)
    }()
}
