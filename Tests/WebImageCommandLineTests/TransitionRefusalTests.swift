import Foundation
import Glibc
import Testing
import WebImage
import WebImageTesting

@testable import WebImageTestDoubles

/// Bad input of `webimage transition`: one line, the right status, and no remaining files.
@Suite("Command line: bad transitions", .timeLimit(.minutes(5)))
struct TransitionRefusalTests {
    private let program: Program
    private let photo = Fixtures.path("photo.jpg")

    init() throws { program = try Program() }

    @Test(
        "impossible options are refused with the possible ones", .needsTransitionProgram,
        arguments: [
            (["--effect", "explode"], "curlUp, curlDown"), (["--effect", ""], "crossDissolve"),
            (["--fps", "0"], "1 to 120"), (["--fps", "121"], "1 to 120"), (["--fps", "2.5"], "1 to 120"),
            (["--fps", "91"], "90 or less"),
            (["--duration", "0"], "0.01 to 60"), (["--duration", "61"], "0.01 to 60"),
            (["--duration", "-1"], "0.01 to 60"), (["--duration", "nan"], "0.01 to 60"),
            (["--size", "0x10"], "1 to 65535"), (["--size", "8193x10"], "8192"),
            (["--size", "5000x10", "--scale", "2"], "10000×20 pixels"), (["--scale", "0.5"], "1 to 4"),
            (["--scale", "5"], "1 to 4"), (["--timing", "fast"], "ease-in-out"),
            (["--timing", "spring:0"], "damping 0.05"), (["--timing", "spring:1,1,1"], "damping"),
            (["--timing", "2,0,1,1"], "X1 and X2"), (["--timing", "0,0,1"], "four numbers"),
            (["--timing", "0,,1,1"], "four numbers"), (["--fit", "stretch"], "contain, cover, fill or scale-down"),
            (["--hold", "61"], "0 to 60"), (["--quality", "0"], "1 to 100"), (["--quality", "101"], "1 to 100"),
            (["--wings"], "no option --wings"), (["picture.png"], "--from picture.png"),
            (["-o", "out.gif"], "FILE.webp"), (["-o", "out"], "FILE.webp"), (["-o", "out.png"], "%04d.png"),
            (["-o", "%d/a.png"], "%04d.png"), (["-o", "%x.png"], "%04d.png"), (["-o", "%d%s.png"], "%04d.png"),
            (["-o", "%d.png", "--hold", "1"], "--hold"), (["-o", "%d.png", "--quality", "5"], "--quality"),
        ])
    func usage(options: [String], says: String) async throws {
        let run = try await program.run(["transition", "--from", photo, "--to", photo, "-o", "out.webp"] + options)
        #expect(run.status == 2)
        #expect(run.errorLines.count == 1 && run.output.isEmpty, "\(run.errors)")
        #expect(run.errors.hasPrefix("webimage: transition: ") && run.errors.contains(says), "\(run.errors)")
        #expect(run.errors.hasSuffix("(see webimage transition --help)\n"))
        #expect(program.files.isEmpty)
    }

    @Test("a missing argument is named", .needsTransitionProgram)
    func missing() async throws {
        let noPicture = try await program.run("transition", "-o", "out.webp")
        #expect(noPicture.status == 2 && noPicture.errors.contains("--from PATH and --to PATH"))
        let noOutput = try await program.run("transition", "--from", photo, "--to", photo)
        #expect(noOutput.status == 2 && noOutput.errors.contains("-o FILE.webp"))
    }

    @Test(
        "unreadable pictures are named, and nothing is written", .needsTransitionProgram,
        arguments: [
            ("none.jpg", "none.jpg: "), (".", "directory"), ("http://127.0.0.1:1/a.jpg", "127.0.0.1"),
            (Fixtures.path("../Support/Fixtures.swift"), "Fixtures.swift: "), ("ftp://host/a.jpg", "ftp"),
        ])
    func pictures(address: String, says: String) async throws {
        for (from, to) in [(address, photo), (photo, address)] {
            for output in ["out.webp", "frame-%d.png"] {
                let run = try await program.run("transition", "--from", from, "--to", to, "-o", output)
                #expect(run.status == 1)
                #expect(run.errorLines.count == 1 && run.errors.hasPrefix("webimage: transition: "), "\(run.errors)")
                #expect(run.errors.contains(says), "\(run.errors)")
                #expect(program.files.isEmpty)
            }
        }
    }

    @Test(
        "an output that cannot be written is reported before anything is drawn, and nothing is half written",
        .needsTransitionProgram,
        arguments: [
            ("taken/out.webp", "Not a directory"), ("/dev/full", "FILE.webp"), ("taken/x/%d.png", "taken"),
            ("taken/", "taken"),
        ])
    func outputs(output: String, says: String) async throws {
        try Data("mine".utf8).write(to: program.file("taken"))
        let run = try await program.run("transition", "--from", photo, "--to", photo, "-o", output)
        #expect(run.status != 0)
        #expect(run.errorLines.count == 1 && run.errors.contains(says), "\(run.errors)")
        #expect(program.files == ["taken"])
        #expect(try Data(contentsOf: program.file("taken")) == Data("mine".utf8))
    }

    @Test(
        "a picture is not overwritten by its own transition, by whatever name", .needsTransitionProgram,
        arguments: [
            ("0001.png", "."), ("0001.png", "%04d.png"), ("f/2.png", "f/%d.png"), ("a.webp", "a.webp"),
            ("link.webp", "a.webp"), ("a.webp", "link.webp"), ("a.webp", "./f/../a.webp"),
        ])
    func itself(input: String, output: String) async throws {
        try FileManager.default.createDirectory(at: program.file("f"), withIntermediateDirectories: true)
        let original = try Fixtures.data("photo.jpg")
        for name in ["0001.png", "f/2.png", "a.webp"] { try original.write(to: program.file(name)) }
        try FileManager.default.createSymbolicLink(
            atPath: program.file("link.webp").path, withDestinationPath: "a.webp")
        let files = program.files
        for (from, to) in [(input, photo), (photo, input)] {
            let run = try await program.run("transition", "--from", from, "--to", to, "-o", output)
            #expect(run.status == 2 && run.errorLines.count == 1, "\(run.errors)")
            #expect(run.errors.contains("would overwrite the picture of \(from == input ? "--from" : "--to")"))
        }
        #expect(program.files == files)
        #expect(try Data(contentsOf: program.file(input)) == original)
        // The program does not own numbers beyond its last frame.
        try original.write(to: program.file("0099.png"))
        try FileManager.default.removeItem(at: program.file("0001.png"))
        let other = try await program.run("transition", "--from", "0099.png", "-o", ".", "--size", "9x9")
        #expect(other.status == 0, "\(other.errors)")
    }

    @Test("all frames are written or none: those of an earlier run stay as they were", .needsTransitionProgram)
    func halfWay() async throws {
        try FileManager.default.createDirectory(at: program.file("f/0002.png"), withIntermediateDirectories: true)
        let earlier = Data("earlier".utf8)
        try earlier.write(to: program.file("f/0001.png"))
        let run = try await program.run("transition", "--from", photo, "--to", photo, "-o", "f/")
        #expect(run.status == 1)
        #expect(run.errorLines.count == 1 && run.errors.contains("0002.png"), "\(run.errors)")
        #expect(program.files == ["f", "f/0001.png", "f/0002.png"])
        #expect(try Data(contentsOf: program.file("f/0001.png")) == earlier)
    }

    @Test("if one frame cannot get its name, all frames are removed", .needsTransitionProgram)
    func noName() async throws {
        try FileManager.default.createDirectory(at: program.file("f"), withIntermediateDirectories: true)
        // The program blocks at its last frame, until the test reads the pipe; meanwhile the test creates a file with
        // one of its names.
        let pipe = program.file("f/3.png").path
        try #require(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(reader >= 0)
        defer { close(reader) }
        let taken = program.file("f/1.png")
        let run = try await program.run([
            "transition", "--from", photo, "--to", photo, "-o", "f/%d.png", "--size", "1500x1500", "--duration", "0.1",
            "--fps", "30",
        ]) { _ in
            var question = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            #expect(poll(&question, 1, 120_000) == 1)
            try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: true)
            var bytes = [UInt8](repeating: 0, count: 65536)
            while poll(&question, 1, 120_000) == 1, read(reader, &bytes, bytes.count) > 0 {}
        }
        #expect(run.status == 1)
        #expect(run.errorLines.count == 1 && run.errors.contains("1.png"), "\(run.errors)")
        #expect(program.files == ["f", "f/1.png", "f/3.png"])
    }

    @Test("a full disk leaves no file", .needsTransitionProgram)
    func fullDisk() async throws {
        let link = program.file("full.webp").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/full")
        let run = try await program.run(
            "transition", "--from", photo, "--to", photo, "-o", "full.webp", "--size", "20x20")
        #expect(run.status == 1)
        #expect(run.errorLines.count == 1 && run.errors.contains("No space left"), "\(run.errors)")
        #expect(program.files == ["full.webp"])
    }

    @Test(
        "Control-C while frames are written leaves none of them", .needsTransitionProgram,
        arguments: [SIGINT, SIGTERM])
    func interruption(signal: Int32) async throws {
        // The program fills this pipe with its second frame, and blocks until the test reads it.
        try FileManager.default.createDirectory(at: program.file("f"), withIntermediateDirectories: true)
        let pipe = program.file("f/0001.png").path
        try #require(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(reader >= 0)
        defer { close(reader) }
        let first = program.file("f/0000.png").path
        let run = try await program.run([
            "transition", "--from", photo, "--to", photo, "-o", "f/", "--size", "1500x1500", "--duration", "60",
            "--fps", "120",
        ]) { process in
            var question = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            #expect(poll(&question, 1, 120_000) == 1)
            #expect(!FileManager.default.fileExists(atPath: first))
            kill(process, signal)
            var bytes = [UInt8](repeating: 0, count: 65536)
            while poll(&question, 1, 120_000) == 1, read(reader, &bytes, bytes.count) > 0 {}
        }
        #expect(run.status == (signal == SIGINT ? 130 : 143))
        #expect(run.errors.isEmpty, "\(run.errors)")
        #expect(program.files == ["f", "f/0001.png"], "all but the pipe, which is not the program's")
    }

    /// The program without the second one beside it.
    private func lonely() throws -> URL {
        let lonely = program.directory.appending(path: "webimage")
        try FileManager.default.copyItem(at: Program.executable, to: lonely)
        return lonely
    }

    private var arguments: [String] {
        ["transition", "--from", photo, "--to", photo, "-o", "out.webp", "--size", "9x9"]
    }

    @Test("without the second program, the error says what to install")
    func companion() async throws {
        let lonely = try lonely()
        for arguments in [arguments, ["transition", "--help"]] {
            let run = try await program.run(arguments, by: lonely)
            #expect(run.status == 1 && run.errorLines.count == 1, "\(run.errors)")
            #expect(run.errors.hasPrefix("webimage: transition: there is no webimage-transition beside this program"))
            #expect(run.errors.contains("libgtk-4-1") && run.errors.contains("WEBIMAGE_WITHOUT_GTK"))
        }
        #expect(program.files.isEmpty)
    }

    @Test("the second program is found on the PATH", .needsTransitionProgram)
    func companionElsewhere() async throws {
        let lonely = try lonely()
        let path = "/nowhere:\(Program.executable.deletingLastPathComponent().path):/usr/bin"
        let found = try await program.run(arguments, by: lonely, environment: ["PATH": path])
        #expect(found.status == 0, "\(found.errors)")
        #expect(program.files == ["out.webp"])
    }

    @Test("a second program that cannot be started is named")
    func brokenCompanion() async throws {
        let lonely = try lonely()
        let broken = program.directory.appending(path: "webimage-transition")
        try Data("no program".utf8).write(to: broken)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: broken.path)
        let run = try await program.run(["transition", "--help"], by: lonely)
        #expect(run.status == 1 && run.errors.contains("webimage-transition: Exec format error"), "\(run.errors)")
    }
}
