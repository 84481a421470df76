import Foundation
import Glibc
import Testing
import WebImage
import WebImageTesting

@testable import WebImageCommandLine
@testable import WebImageTestDoubles

/// The work of a command on files that exist.
@Suite("Command line: outputs", .timeLimit(.minutes(5)))
struct OutputTests {
    private let program: Program
    private let photo: Data

    init() throws {
        program = try Program()
        photo = try Fixtures.data("photo.jpg")
        try photo.write(to: program.file("a.jpg"))
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: program.file(name).path, withDestinationPath: target)
    }

    private func content(_ name: String) throws -> Data { try Data(contentsOf: program.file(name)) }

    private func mode(_ name: String) throws -> UInt16? {
        let attributes = try FileManager.default.attributesOfItem(atPath: program.file(name).path)
        return (attributes[.posixPermissions] as? NSNumber)?.uint16Value
    }

    @Test(
        "an output that is an input is refused, by whatever name",
        arguments: [
            ["load", "a.jpg", "-o", "."], ["load", "a.jpg", "-o", "a.jpg"], ["load", "a.jpg", "-o", "./d/../a.jpg"],
            ["load", "a.jpg", "-o", "link.jpg"], ["load", "link.jpg", "-o", "a.jpg"],
            ["load", "a.jpg", "-o", "hard.jpg"],
            ["load", "a.jpg", "-o", "d"], ["load", "other.jpg", "a.jpg", "-o", "d"],
            ["convert", "a.jpg", "a.jpg"], ["convert", "a.jpg", "link.jpg"], ["convert", "link.jpg", "hard.jpg"],
            ["load", "--from", "list.jpg", "-o", "list.jpg"], ["load", "--from", "list.jpg", "-o", "."],
        ])
    func inputs(arguments: [String]) async throws {
        try FileManager.default.createDirectory(at: program.file("d"), withIntermediateDirectories: true)
        try link("link.jpg", to: "a.jpg")
        try link("d/a.jpg", to: "../link.jpg")
        try #require(Glibc.link(program.file("a.jpg").path, program.file("hard.jpg").path) == 0)
        try photo.write(to: program.file("other.jpg"))
        try Data("a.jpg\n".utf8).write(to: program.file("list.jpg"))
        let run = try await program.run(arguments + ["--thumbnail", "30x30"])
        #expect(run.status != 0)
        #expect(
            run.errorLines.count == 1 && run.errors.contains("would overwrite a picture that is read"), "\(run.errors)")
        #expect(run.errors.contains("--force"))
        #expect(try content("a.jpg") == photo && content("list.jpg") == Data("a.jpg\n".utf8))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: program.file("link.jpg").path) == "a.jpg")
        #expect(!program.files.contains { $0.contains(".webimage-") })
    }

    @Test("a file of another kind than a screenshot is not replaced by one, and a device is written to")
    func otherKinds() throws {
        let refused = { (name: String) in
            #expect(throws: WebImageError.self) { try OutputFile(path: program.file(name).path).checkReplaces(.png) }
        }
        try Data("dear diary".utf8).write(to: program.file("diary"))
        try link("link", to: "diary")
        for name in ["diary", "link", "a.jpg"] { refused(name) }
        try Data().write(to: program.file("empty"))
        try Fixtures.data("photo-small.png").write(to: program.file("b.png"))
        for name in ["empty", "b.png", "none"] { try OutputFile(path: program.file(name).path).checkReplaces(.png) }
        try OutputFile(path: "/dev/null").checkReplaces(.png)
    }

    @Test("standard input and standard output of a shell are inputs and outputs as well")
    func redirections() async throws {
        for script in [
            "\"$0\" load - -o a.jpg --quality 5 <a.jpg", "\"$0\" convert - a.jpg --quality 5 <a.jpg",
            "\"$0\" convert a.jpg - --format png >>a.jpg", "\"$0\" load a.jpg -o - --format png >>a.jpg",
        ] {
            let run = try await program.run(script: script)
            #expect(run.status == 2 && run.errors.contains("would overwrite a picture that is read"), "\(run.errors)")
            #expect(try content("a.jpg") == photo)
        }
    }

    @Test("with --force an input is replaced, whole", arguments: ["load", "convert"])
    func force(command: String) async throws {
        let output = command == "load" ? ["-o", "a.jpg"] : ["a.jpg"]
        let run = try await program.run([command, "a.jpg"] + output + ["--thumbnail", "30x30", "--force"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try Image(contentsOf: program.file("a.jpg")).pixelSize.width == 30)
        #expect(program.files == ["a.jpg"])
    }

    @Test("a frame is not written over the animation that it is of")
    func frames() async throws {
        let animation = try Fixtures.data("animated.gif")
        try animation.write(to: program.file("b.gif"))
        try link("b-0002.gif", to: "b.gif")
        let run = try await program.run("frames", "b.gif", "-o", ".", "--format", "gif")
        #expect(run.status == 1 && run.errors.contains("would overwrite a picture that is read"), "\(run.errors)")
        #expect(try content("b.gif") == animation)
    }

    @Test("a file that is replaced keeps its mode, and a new one has the umask's", arguments: ["load", "convert"])
    func modes(command: String) async throws {
        for mode in [UInt16(0o600), 0o640, 0o777] {
            try Data("old".utf8).write(to: program.file("out.jpg"))
            chmod(program.file("out.jpg").path, mode_t(mode))
            let output = command == "load" ? ["-o", "out.jpg"] : ["out.jpg"]
            let run = try await program.run([command, "a.jpg"] + output)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try content("out.jpg") == photo && self.mode("out.jpg") == mode)
        }
        _ = try await program.run(script: "umask 027 && \"$0\" load a.jpg -o new.jpg")
        #expect(try mode("new.jpg") == 0o640)
    }

    @Test(
        "where the output is a symbolic link, the link stays and its target is replaced or made",
        arguments: ["d/target.jpg", "d/chain.jpg", "d/none.jpg"])
    func links(target: String) async throws {
        try FileManager.default.createDirectory(at: program.file("d"), withIntermediateDirectories: true)
        try Data("old".utf8).write(to: program.file("d/target.jpg"))
        try link("d/chain.jpg", to: "target.jpg")
        try link("out.jpg", to: target)
        let run = try await program.run("load", "a.jpg", "-o", "out.jpg")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: program.file("out.jpg").path) == target)
        #expect(try content("out.jpg") == photo)
        let type = try FileManager.default.attributesOfItem(atPath: program.file("d/target.jpg").path)[.type]
        #expect(type as? FileAttributeType == .typeRegular)
        #expect(!program.files.contains { $0.contains(".webimage-") })
    }

    @Test("links without an end are an error")
    func endlessLink() async throws {
        try link("out.jpg", to: "out.jpg")
        let run = try await program.run("load", "a.jpg", "-o", "out.jpg")
        #expect(run.status == 1 && run.errorLines.count == 1 && run.errors.contains("symbolic links"), "\(run.errors)")
        #expect(program.files == ["a.jpg", "out.jpg"])
    }

    @Test("a directory that is missing is made, when there is something to write into it")
    func directories() async throws {
        #expect(try await program.run("load", "a.jpg", "-o", "x/y/b.jpg").status == 0)
        #expect(try await program.run("convert", "a.jpg", "z/b.png").status == 0)
        #expect(try await program.run("load", "none.jpg", "-o", "w/b.jpg").status == 1)
        #expect(program.files == ["a.jpg", "x", "x/y", "x/y/b.jpg", "z", "z/b.png"])
    }

    @Test("--no-clobber leaves what exists, does not load for it, and says so")
    func noClobber() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/b.jpg", .picture(photo))
        origin.serve("/c.jpg", .picture(try Fixtures.data("palette.png")))
        for name in ["out/b.jpg", "out/c.png"] {
            try FileManager.default.createDirectory(at: program.file("out"), withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: program.file(name))
        }
        let urls = ["/b.jpg", "/c.jpg"].map { origin.url($0).absoluteString }
        let run = try await program.run(["load"] + urls + ["a.jpg", "-o", "out/", "--no-clobber", "--json"])
        #expect(run.status == 0, "\(run.errors)")
        let objects = try run.objects().sorted { ($0["output"] as? String ?? "") < ($1["output"] as? String ?? "") }
        #expect(objects.map { $0["output"] as? String } == ["out/a.jpg", "out/b.jpg", "out/c.png"])
        #expect(objects.map { $0["kept"] as? Bool } == [nil, true, true])
        #expect(objects.map { $0["bytesWritten"] as? Int } == [photo.count, nil, nil])
        #expect(try content("out/b.jpg") == Data("mine".utf8) && content("out/c.png") == Data("mine".utf8))
        // Only the one whose name its bytes decide.
        #expect(origin.requests.map(\.path) == ["/c.jpg"])
        let words = try await program.run("load", urls[0], "-o", "out/b.jpg", "-n")
        #expect(words.text == "kept     \(urls[0]) → out/b.jpg\n")
    }

    @Test("a file that comes while its picture is loaded is kept as well")
    func lateFile() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/b.jpg", OriginResponse.picture(photo).held(by: gate))
        let url = origin.url("/b.jpg").absoluteString
        let output = program.file("b.jpg")
        let run = try await program.run(["load", url, "-o", "b.jpg", "-n", "--json", "--timeout", "120"]) { _ in
            try await origin.waitForRequests(1)
            try Data("mine".utf8).write(to: output)
            gate.open()
        }
        #expect(try run.status == 0 && run.objects().first?["kept"] as? Bool == true, "\(run.text)\(run.errors)")
        #expect(try content("b.jpg") == Data("mine".utf8))
        #expect(program.files == ["a.jpg", "b.jpg"])
    }

    @Test("--no-clobber for convert and frames")
    func noClobberOthers() async throws {
        try Data("mine".utf8).write(to: program.file("b.png"))
        let convert = try await program.run("convert", "a.jpg", "b.png", "-n", "--json")
        #expect(try convert.status == 0 && convert.objects().first?["kept"] as? Bool == true)
        #expect(try content("b.png") == Data("mine".utf8))
        try Data("mine".utf8).write(to: program.file("animated-0002.png"))
        let frames = try await program.run("frames", Fixtures.path("animated.gif"), "-o", ".", "--no-clobber")
        #expect(frames.status == 0 && frames.lines.contains("./animated-0002.png  kept"), "\(frames.text)")
        #expect(try content("animated-0002.png") == Data("mine".utf8))
        #expect(program.files.contains("animated-0001.png"))
    }

    @Test("--force and --no-clobber contradict each other, and both need an output")
    func contradictions() async throws {
        for (arguments, says) in [
            (["load", "a.jpg", "-o", "b.jpg", "-f", "-n"], "choose one"), (["load", "a.jpg", "-n"], "add -o FILE"),
            (["load", "a.jpg", "--force"], "add -o FILE"), (["convert", "a.jpg", "b.jpg", "-fn"], "choose one"),
        ] {
            let run = try await program.run(arguments)
            #expect(run.status == 2 && run.errors.contains(says), "\(run.errors)")
        }
    }

    @Test("/dev/stdout is standard output, and a redirected one is not replaced")
    func standardOutput() async throws {
        let run = try await program.run(script: "\"$0\" load a.jpg -o /dev/stdout >out.jpg")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try content("out.jpg") == photo)
    }

    @Test("the bytes written are told beside those read, in the line and as JSON")
    func bytes() async throws {
        let run = try await program.run("load", "a.jpg", "-o", "b.png")
        let count = try content("b.png").count
        #expect(run.text.contains(Quantity.bytes(photo.count)), "\(run.text)")
        #expect(run.text.hasSuffix(" → b.png, \(Quantity.bytes(count))\n"), "\(run.text)")
        let load = try await program.run("load", "a.jpg", "-o", "b.png", "--json").objects().first
        #expect(load?["bytes"] as? Int == photo.count && load?["bytesWritten"] as? Int == count)
        let piped = try await program.run("load", "a.jpg", "-o", "-", "--format", "png")
        #expect(piped.errors.hasSuffix(" → -, \(Quantity.bytes(piped.output.count))\n"), "\(piped.errors)")
        let convert = try await program.run("convert", "a.jpg", "c.png", "--json").objects().first
        #expect(try convert?["bytes"] as? Int == content("c.png").count && convert?["bytesRead"] as? Int == photo.count)
        let frame = try await program.run("frames", "a.jpg", "-o", ".", "--json").objects().first
        #expect(try frame?["bytes"] as? Int == content("a-0001.png").count)
    }
}
