import Foundation
import Glibc
import Testing
import WebImageTestSupport
import WebImageTesting

@testable import WebImageCommandLine
@testable import WebImageTestDoubles

@Suite("Command line: shortages, and lines of libraries", .timeLimit(.minutes(5)))
struct ShortageTests {
    private let program: Program

    init() throws {
        program = try Program()
        try Fixtures.data("photo-small.png").write(to: program.file("a.png"))
    }

    @Test(
        "with too few files the program ends with one error", arguments: ["load a.png", "info a.png", "cache stats"],
        [4, 6, 10])
    func files(command: String, limit: Int) async throws {
        let run = try await program.run(script: "ulimit -n \(limit); exec \"$0\" \(command)")
        #expect(run.status == 1 && run.errorLines.count == 1 && run.errors.contains("ulimit -n"), "\(run)")
    }

    @Test("too few threads are an error, and do not hang the program")
    func threads() async throws {
        await #expect(processExitsWith: .success) {
            // RLIMIT_NPROC, 6, is a macro. The kernel does not count the superuser's processes: the test becomes a user without
            // any.
            if getuid() == 0 { try #require(setuid(54_321) == 0) }
            var limit = rlimit(rlim_cur: 1, rlim_max: 1)
            try #require(setrlimit(__rlimit_resource_t(6), &limit) == 0)
            #expect(ProcessLimits.problem?.contains("ulimit -u") == true)
        }
    }

    @Test("a machine with enough of both has no problem")
    func enough() { #expect(ProcessLimits.problem == nil) }

    @Test("what a library writes to standard error does not reach the person")
    func libraries() async throws {
        // A header with an extension, of which libjxl tells.
        try (Data([0xFF, 0x0A, 0x41, 0x40, 0x0E, 0x04]) + Data(count: 52)).write(to: program.file("a.jxl"))
        let run = try await program.run("info", "a.jxl")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    }

    @Test("a list from a pipe without a writer ends at the first signal", arguments: [SIGINT, SIGTERM])
    func silentPipe(signal: Int32) async throws {
        try #require(mkfifo(program.file("pipe").path, 0o600) == 0)
        let run = try await program.run(["load", "--from", "pipe"]) { process in
            // The reader has it open once a writer can open it without a wait.
            var writer: Int32 = -1
            while writer < 0 {
                writer = open(program.file("pipe").path, O_WRONLY | O_NONBLOCK)
                if writer < 0 { await Task.yield() }
            }
            kill(process, signal)
            // Open until the end, so that the list does not end by itself.
            _ = writer
        }
        #expect(run.status == 128 + signal, "\(run)")
    }

    @Test("a list from a pipe is read to its end")
    func pipe() async throws {
        try #require(mkfifo(program.file("pipe").path, 0o600) == 0)
        let run = try await program.run(script: "(echo a.png; echo ./a.png) >pipe & exec \"$0\" load --from pipe")
        #expect(run.status == 0 && run.lines.count == 2, "\(run)")
    }

    @Test("names of a list without spaces, returns, comments and a byte order mark, or separated by zero bytes")
    func lists() async throws {
        try Data("\u{FEFF}  a.png \t\r\n\n# a\n\t./a.png\r\n".utf8).write(to: program.file("list"))
        try Data("a.png\0./a.png".utf8).write(to: program.file("zeros"))
        for list in ["list", "zeros"] {
            let run = try await program.run("load", "--from", list)
            #expect(run.status == 0 && run.lines.count == 2, "\(run)")
        }
        try Data([0x61, 0x0A, 0xFF, 0x0A]).write(to: program.file("bad"))
        #expect(try await program.run("load", "--from", "bad").errors.contains("name 2 of bad is not UTF-8"))
    }

    @Test("a list of many names takes some bytes for each, and a data: address no more than a few times its size")
    func memory() async throws {
        let idle = try await idleMegabytes()
        try Data((0..<30_000).map { "/nonexistent/folder/of/pictures/picture-\($0).jpg\n" }.joined().utf8)
            .write(to: program.file("names"))
        let names = try await load("names", megabytes: idle + 24)
        #expect(names.status == 1 && names.errorLines.count == 30_000, "\(names.errorLines.first ?? "")")
        let picture = try Fixtures.data("photo-small.png")
        // Base64 of zeros behind the picture.
        let address = "data:image/png;base64,\((picture + Data(count: 6 << 20)).base64EncodedString())"
        try Data("\(address)\n".utf8).write(to: program.file("data"))
        let run = try await load("data", megabytes: idle + 3 * 8)
        #expect(run.status == 0, "\(run.errors)")
    }

    /// Megabytes that suffice for one small picture: libraries' data, and the stacks of threads.
    private func idleMegabytes() async throws -> Int {
        try Data("a.png\n".utf8).write(to: program.file("list"))
        for megabytes in stride(from: 10, through: 500, by: 10)
        where try await load("list", megabytes: megabytes).status == 0 { return megabytes }
        throw TestFailure(text: "no small picture is loaded with 500 MB")
    }

    /// With small stacks, since the number of threads is another one in each run.
    private func load(_ list: String, megabytes: Int) async throws -> Program.Ending {
        let limit = Sanitizer.isActive ? "" : "ulimit -s 1024; ulimit -d \(megabytes << 10); "
        return try await program.run(script: limit + "exec \"$0\" load --no-cache --quiet --from \"$1\"", list)
    }
}
