import Foundation
import Testing
import WebImage

@testable import WebImageCommandLine
@testable import WebImageTestDoubles
@testable import webimage

/// The texts of the program about itself: its manual page, and the completions of shells.
@Suite("Command line: manual and completions", .timeLimit(.minutes(5)))
struct GeneratedFileTests {
    private let program: Program

    init() throws { program = try Program() }

    private static let descriptions = [
        LoadCommand.description, ExplainCommand.description, InfoCommand.description, ConvertCommand.description,
        FramesCommand.description, CompareCommand.description, ShowCommand.description,
        CacheCommand.description, TransitionOptions.description,
    ]

    private func generated(_ kind: String) async throws -> String {
        let run = try await program.run("--generate", kind)
        #expect(run.status == 0, "\(run.errors)")
        try run.output.write(to: program.file(kind))
        return run.text
    }

    @Test("every command and every option of its table is in each file", arguments: ["man", "bash", "zsh", "fish"])
    func complete(kind: String) async throws {
        let text = try await generated(kind)
        for command in Self.descriptions {
            #expect(text.contains(command.name))
            for option in command.options {
                let name = kind == "man" ? option.name.replacing("-", with: "\\-") : option.name
                #expect(text.contains(name), "\(command.name) --\(option.name)")
            }
        }
    }

    @Test("what cannot be generated is refused with what can")
    func refusals() async throws {
        for arguments in [["--generate"], ["--generate", "perl"], ["--generate", "man", "bash"]] {
            let run = try await program.run(arguments)
            #expect(run.status == 2 && run.errors.contains("give man, bash, zsh or fish"), "\(run.errors)")
        }
    }

    // MARK: - The manual

    @Test("groff renders the page without a warning", .needs("groff"))
    func groff() async throws {
        _ = try await generated("man")
        let run = try await program.run(script: "groff -man -Tutf8 -P-cbou -ww -rLL=100n man")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.text.contains("--thumbnail") && run.text.contains("webimage convert URL|PATH FILE [OPTION…]"))
        #expect(run.text.contains("'Referer: https://example.org/'"))
    }

    @Test("man shows the page without a warning", .needs("man"))
    func manual() async throws {
        _ = try await generated("man")
        let run = try await program.run(script: "LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -l ./man")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.text.contains("SYNOPSIS"))
    }

    // MARK: - Completions

    /// The words, with the cursor at the end of the last one, and what is offered.
    private static let offers: [([String], [String])] = [
        (
            [""],
            ["load", "explain", "info", "convert", "frames", "compare", "hash", "show", "cache", "transition", "help"]
        ),
        (["conv"], ["convert"]), (["ha"], ["hash"]), (["hash", "--comp"], ["--components"]),
        (["--v"], ["--version"]), (["load", "--thu"], ["--thumbnail"]), (["load", "--format", "jp"], ["jpeg"]),
        (["load", "--format", "=", "jx"], ["jxl"]), (["load", "--format", "="], WritableFormat.byName.map(\.key)),
        (["load", "--timeout", ""], []), (["load", "my"], ["my photo.jpg"]), (["load", "-o", "d"], ["dir"]),
        (["load", "--cache", ""], ["dir"]), (["load", "--", "-"], ["-dash.jpg"]), (["cache", "v"], ["verify"]),
        (["cache", "list", "--sort", "s"], ["size"]), (["help", "fr"], ["frames"]), (["--generate", "z"], ["zsh"]),
        (["transition", "--effect", "fa"], ["fade"]), (["transition", "--timing", "lin"], ["linear"]),
        (["transition", "--fit", "c"], ["contain", "cover"]),
        (["convert", "a.png", "--tiff-compression", "l"], ["lzw"]), (["nonsense", ""], []),
    ]

    @Test("bash completes commands, options, values and files", .needs("bash"), arguments: offers)
    func bash(words: [String], offered: [String]) async throws {
        _ = try await generated("bash")
        for name in ["my photo.jpg", "-dash.jpg", "dir/x"] {
            let file = program.file(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: file)
        }
        let script = """
            set -u; source ./bash; complete -p webimage >/dev/null || exit 1
            COMP_WORDS=(webimage "$@"); COMP_CWORD=$#; COMPREPLY=(); _webimage
            ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
            """
        let run = try await program.run(["-c", script, "bash"] + words, by: URL(filePath: "/bin/bash"))
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        if words == [""] {
            #expect(Set(offered).isSubset(of: run.lines))
        } else {
            #expect(Set(run.lines) == Set(offered))
        }
    }

    @Test("the options of a command are offered, with letters")
    func bashOptions() async throws {
        let text = try await generated("bash")
        for command in Self.descriptions {
            let words = command.options.flatMap(\.spellings).joined(separator: " ")
            #expect(text.contains("\(command.name)) _webimage_words '\(words)'"), "\(command.name)")
        }
    }

    @Test("zsh reads its file", .needs("zsh"))
    func zsh() async throws {
        _ = try await generated("zsh")
        let run = try await program.run(script: "zsh -n zsh")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    }

    @Test("fish reads its file", .needs("fish"))
    func fish() async throws {
        _ = try await generated("fish")
        let run = try await program.run(script: "fish --no-execute fish")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    }

    // MARK: - Installation

    @Test("make install puts programs, manual and completions under the prefix", .needs("make"))
    func install() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
        let programs = Program.executable.deletingLastPathComponent().path
        let run = try await program.run(
            script: "make -s -C \"$1\" install PROGRAMS=\"$2\" DESTDIR=\"$PWD\" PREFIX=/usr", root.path, programs)
        #expect(run.status == 0, "\(run.errors)")
        let share = "usr/share"
        let files = [
            "usr/bin/webimage", "\(share)/man/man1/webimage.1", "\(share)/bash-completion/completions/webimage",
            "\(share)/zsh/site-functions/_webimage", "\(share)/fish/vendor_completions.d/webimage.fish",
        ]
        for file in files { #expect(program.files.contains(file), "\(file)") }
        let installed = try await program.run(["-V"], by: program.file("usr/bin/webimage"))
        #expect(installed.text == "webimage \(WebImageVersion.current)\n")
    }
}

/// A program of the machine that a test needs.
enum ProgramOnPath {
    /// The place at which the tests' programs look for it.
    static func find(_ name: String) -> String? {
        ["/usr/bin", "/bin"].map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

extension Trait where Self == ConditionTrait {
    /// For what another program tells.
    static func needs(_ name: String) -> Self {
        .enabled(if: ProgramOnPath.find(name) != nil, "\(name) is not installed")
    }
}
