import Foundation
import Glibc
import Testing
import WebImage

@testable import WebImageTestDoubles

@Suite("Command line: standard input", .timeLimit(.minutes(5)))
struct StandardInputTests {
    private let program: Program

    init() throws { program = try Program() }

    @Test("- is read by convert, frames and info, from a pipe to its end")
    func pipe() async throws {
        let photo = Fixtures.path("photo.jpg")
        let converted = try await program.run(
            script: "(head -c 100 \"$1\"; tail -c +101 \"$1\") | \"$0\" convert - a.jpg --json", photo)
        #expect(converted.status == 0, "\(converted.errors)")
        #expect(try Data(contentsOf: program.file("a.jpg")) == Fixtures.data("photo.jpg"))
        #expect(try converted.objects().first?["url"] as? String == "-")
        let frames = try await program.run(
            script: "cat \"$1\" | \"$0\" frames - -o .", Fixtures.path("animated.gif"))
        #expect(frames.status == 0 && program.files.contains("image-0003.png"), "\(frames.errors)")
        let info = try await program.run(script: "cat \"$1\" | \"$0\" info - --json", photo)
        let object = try #require(try info.objects().first)
        #expect(object["url"] as? String == "-" && object["width"] as? Int == 200)
        #expect(object["bytes"] as? Int == (try Fixtures.data("photo.jpg").count))
    }

    @Test("between two pipes a picture goes through")
    func filter() async throws {
        let run = try await program.run(
            script: "\"$0\" convert - - --format png <\"$1\" 2>/dev/null", Fixtures.path("photo.jpg"))
        #expect(run.status == 0 && ImageFormat(sniffing: run.output) == .png)
    }

    @Test("a file that is no picture, an empty input and a closed one are one error each")
    func failures() async throws {
        for (script, says) in [
            ("echo no | \"$0\" convert - a.png", "not a picture"), ("\"$0\" info - </dev/null", "empty"),
            ("\"$0\" convert - a.png <&-", "standard input cannot be read"),
            ("\"$0\" load - -o a.png </dev/null", "empty"), ("echo no | \"$0\" load - -o a.png", "not a picture"),
            ("\"$0\" load - -o a.png <&-", "standard input cannot be read"),
            ("\"$0\" load --from - <&-", "standard input cannot be read"),
        ] {
            let run = try await program.run(script: script)
            #expect(run.status == 1 && run.errorLines.count == 1 && run.errors.contains(says), "\(run.errors)")
        }
        #expect(program.files.isEmpty)
    }

    @Test("a picture is not read from the keyboard, and explain names the commands that read from -")
    func refusals() async throws {
        let explain = try await program.run("explain", "-")
        #expect(explain.status == 1, "\(explain.errors)")
        #expect(explain.errors.contains("load, show, info, hash, convert, frames and compare"), "\(explain.errors)")
        let terminal = try Terminal()
        let keyboard = "/proc/\(getpid())/fd/\(terminal.program.fileDescriptor)"
        for command in ["load -", "convert - a.png", "frames - -o .", "info a.jpg -", "hash blur -"] {
            let run = try await program.run(script: "\"$0\" \(command) <\"$1\"", keyboard)
            #expect(run.status == 2 && run.errors.contains("from the terminal; pipe it in"), "\(run.errors)")
        }
    }

    @Test(
        "Control-C ends an endless wait for input, with 130",
        arguments: ["convert - a.png", "load - -o a.png", "load --from -"])
    func interrupted(command: String) async throws {
        let pipe = try FileHandle(forUpdating: fifo())
        try pipe.write(contentsOf: Data([1]))
        let end = pipe.fileDescriptor
        let run = try await program.run(
            ["-c", "exec \"$0\" \(command) <pipe", Program.executable.path], by: URL(filePath: "/bin/sh")
        ) { process in
            // The program waits for more as soon as it has read what was there.
            while Self.hasBytes(end) { await Task.yield() }
            kill(process, SIGINT)
        }
        try pipe.close()
        #expect(run.status == 130 && run.errors.isEmpty, "\(run.status) \(run.errors)")
        #expect(program.files == ["pipe"])
    }

    private func fifo() throws -> URL {
        mkfifo(program.file("pipe").path, 0o600)
        return program.file("pipe")
    }

    private static func hasBytes(_ pipe: Int32) -> Bool {
        var question = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        return poll(&question, 1, 0) > 0
    }
}
