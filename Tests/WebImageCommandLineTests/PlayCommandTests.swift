import Foundation
import Testing
import WebImage
import WebImageCommandLine
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Command line: play", .timeLimit(.minutes(5)))
struct PlayCommandTests {
    private let program: Program

    init() throws {
        program = try Program()
        for name in ["animated.gif", "animated.webp", "animated.png", "photo.jpg"] {
            try Fixtures.data(name).write(to: program.file(name))
        }
    }

    private static let escape = "\u{1B}"

    /// Runs the program as the job of a terminal, which gets `keys` once `text` is shown.
    private func onTerminal(_ arguments: [String], keys: [(after: String, keys: String)]) async throws -> String {
        let terminal = try Terminal()
        async let text: String = {
            var text = ""
            for (after, keys) in keys {
                text += await terminal.read(until: after)
                terminal.type(keys)
            }
            return text + (await terminal.read(until: "the end"))
        }()
        // The terminal's settings afterwards are those of the program's end.
        let script = #"setsid -w -c sh -c 'trap : INT; "$0" play "$@"; stty -a; echo the end' "$0" "$@""#
        let run = try await program.run(
            ["-c", script, Program.executable.path] + arguments, by: URL(filePath: "/bin/sh"),
            input: terminal.program, output: terminal.program, environment: ["TERM": "xterm"])
        #expect(run.errors.isEmpty)
        return await text
    }

    @Test("without a terminal an animation is played once, and nothing is drawn", arguments: ["gif", "webp", "png"])
    func plain(format: String) async throws {
        let run = try await program.run("play", "animated.\(format)", "--no-cache", "--rate", "10")
        #expect(run.status == 0 && run.text.isEmpty && run.errors.isEmpty, "\(run.errors)")
        // A machine that is busy skips no frame so.
        let told = try await program.run(
            "play", "animated.\(format)", "--no-cache", "--rate", "10", "--late", "wait", "--stats")
        #expect(told.text.hasPrefix("3 frames, 1 loops: 3 shown, "), "\(told.text)")
        #expect(told.lines.count == 1)
    }

    @Test(
        "a video is an animation",
        .enabled("GStreamer's plugins are missing, or videos are not built") { Video.isThere }
    )
    func video() async throws {
        try Video.record(program.file("clip.webm"))
        let run = try await program.run(
            "play", "clip.webm", "--json", "--no-cache", "--loops", "2", "--rate", "5", "--late", "wait")
        let played = try #require(try run.objects().first, "\(run.errors)")
        #expect(played["frames"] as? Int == 6 && played["loops"] as? Int == 2 && played["shown"] as? Int == 12)
        let info = try #require(try await program.run("info", "clip.webm", "--json").objects().first)
        #expect(info["format"] as? String == "WebM", "\(info)")
        let converted = try await program.run("convert", "clip.webm", "clip.gif")
        #expect(converted.status == 0, "\(converted.errors)")
        #expect(try Image(contentsOf: program.file("clip.gif")).metadata.frameCount == 6)
    }

    @Test("what plays no video does not load GStreamer")
    func lazyVideo() async throws {
        // The dynamic linker lists what it would load at the start, instead of starting the program.
        let start = try await program.run(["--version"], environment: ["LD_TRACE_LOADED_OBJECTS": "1"])
        #expect(start.text.contains("libc.so") && !start.text.contains("libgst"), "\(start.text)")
    }

    @Test("one object a line with --json, also for pictures that stand still or fail")
    func json() async throws {
        let run = try await program.run(
            "play", "--json", "animated.gif", "photo.jpg", "none.gif", "--no-cache", "--loops", "2", "--rate", "5",
            "--mode", "bounce", "--late", "wait")
        let objects = try run.objects()
        try #require(run.status == 1 && objects.count == 3, "\(run.errors)")
        #expect(objects[0]["frames"] as? Int == 3 && objects[0]["loops"] as? Int == 2)
        #expect(objects[0]["shown"] as? Int == 9 && objects[0]["skipped"] as? Int == 0)
        #expect(objects[0]["decodeMilliseconds"] as? Double ?? -1 > 0 && objects[0]["bufferBytes"] as? Int ?? 0 > 0)
        #expect(objects[1]["frames"] as? Int == 1 && objects[1]["shown"] == nil)
        #expect(objects[2]["error"] != nil)
        #expect(run.errorLines.count == 1)
    }

    @Test("a terminal gets frame over frame with a counter, and its cursor back")
    func drawing() async throws {
        let text = try await onTerminal(["animated.gif", "--no-cache", "--loops", "1", "--rate", "5"], keys: [])
        #expect(text.contains("animated.gif  1/3") && text.contains("animated.gif  3/3"), "\(text.debugDescription)")
        #expect(text.contains("\(Self.escape)[?25l") && text.contains("\(Self.escape)[?25h"))
        #expect(text.contains(" icanon") && text.contains(" echo "))
    }

    @Test("keys pause, step, change the speed, go on, and end, and the terminal is as before")
    func keys() async throws {
        try slow().write(to: program.file("slow.gif"))
        let text = try await onTerminal(
            ["slow.gif", "animated.webp", "--no-cache", "--loops", "0", "--late", "wait"],
            keys: [
                (after: "2/3", keys: " "), (after: "paused", keys: "\(Self.escape)[C"), (after: "3/3  ", keys: ","),
                (after: "2/3", keys: "+"), (after: "×1.25", keys: " "), (after: "loop 3", keys: "n"),
                (after: "animated.webp  2/3", keys: "q"),
            ])
        #expect(text.contains(" icanon") && text.contains(" echo "), "\(text.debugDescription)")
        #expect(text.contains("\(Self.escape)[?25h"))
    }

    /// Three frames, of which the second one stays until a key has come.
    private func slow() throws -> Data {
        let frames = try [50, 1000, 50].enumerated().map { number, milliseconds in
            let pixels = [UInt8](repeating: UInt8(80 * number), count: 4 * 16 * 16)
            let bitmap = try Bitmap(size: PixelSize(width: 16, height: 16), pixels: pixels)
            return ImageFrame(bitmap: bitmap, duration: .milliseconds(milliseconds))
        }
        return try ImageCodersManager.shared.encode(frames, loopCount: 0, to: .gif, options: ImageEncodeOptions())
    }

    @Test("Control-C gives the terminal back")
    func interruption() async throws {
        let text = try await onTerminal(
            ["animated.gif", "--no-cache", "--loops", "0"], keys: [(after: "3/3", keys: "\u{3}")])
        #expect(text.contains(" icanon") && text.contains("\(Self.escape)[?25h"), "\(text.debugDescription)")
    }

    @Test(
        "a wrong command line is refused with what to write",
        arguments: [
            ([], "no picture"), (["a", "--loops", "-1"], "0 to 1000000"), (["a", "--rate", "0"], "0.01 to 100"),
            (["a", "--rate", "nan"], "0.01 to 100"), (["a", "--mode", "sideways"], "reversedBounce"),
            (["a", "--late", "never"], "skip"),
        ])
    func usage(arguments: [String], complaint: String) async throws {
        let run = try await program.run(["play"] + arguments)
        #expect(run.status == 2 && run.errorLines.count == 1 && run.errors.contains(complaint), "\(run.errors)")
    }

    @Test(
        "keys are told from the bytes of a terminal",
        arguments: [
            ("q", [Key.character("q")]), ("\u{1B}[C\u{1B}OD", [.right, .left]), ("\u{1B}", [.escape]),
            ("\u{1B}[1;5A ", [.up, .character(" ")]), ("é\u{1B}[3~n", [.character("n")]), ("", []),
            ("\u{1B}[", []),
        ])
    func keysOfBytes(bytes: String, keys: [Key]) { #expect(Key.keys(in: Array(bytes.utf8)) == keys) }
}

/// A video, made by GStreamer's own program.
private enum Video {
    static var isThere: Bool {
        #if VIDEO
            run("gst-inspect-1.0", "--exists vp8enc") && run("gst-inspect-1.0", "--exists webmmux")
        #else
            false
        #endif
    }

    static func record(_ file: URL) throws {
        try #require(
            run(
                "gst-launch-1.0",
                "-q videotestsrc num-buffers=6 ! video/x-raw,width=64,height=48,framerate=10/1 ! vp8enc deadline=1 ! webmmux"
                    + " ! filesink location=\(file.path)"))
    }

    private static func run(_ program: String, _ arguments: String) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/\(program)")
        process.arguments = arguments.split(separator: " ").map(String.init)
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
