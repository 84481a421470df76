import CLibRSVG
import Foundation
import Testing
import WebImageTestSupport

@testable import WebImageTestDoubles

/// The work of decoders is possible in a process that is locked in.
@Suite(
    "Work in a sandbox", .timeLimit(.minutes(10)),
    .disabled(if: Sanitizer.isActive, "a sanitizer's own code needs more system calls than decoding"))
struct SandboxedWorkTests {
    @Test("memory, time, random numbers, locks and messages are there, and the worker ends with its zygote")
    func ordinaryWork() async throws {
        for level in EscapeRun.levels where level != "systemCallsAlone" {
            let run = try await EscapeRun(["ordinary", level])
            for (name, outcome) in run.outcomes where name != "requirement" && name != "thread" {
                #expect(outcome == "done", "\(level): \(name)")
            }
        }
    }

    @Test("threads are there where the policy allows them, and refused as where there are too many elsewhere")
    func threads() async throws {
        for level in EscapeRun.levels where !EscapeRun.withoutSystemCalls.contains(level) {
            let outcome = try await EscapeRun(["ordinary", level]).outcomes.first { $0.name == "thread" }?.outcome
            #expect(outcome == (EscapeRun.withThreads.contains(level) ? "done" : "failed"), "\(level)")
        }
    }

    @Test("a worker does no work below the level that its policy requires, and says what is missing")
    func requirement() async throws {
        let outcomes = try await EscapeRun(["ordinary", "withoutBoth"]).outcomes
        let message = outcomes.first { $0.name == "requirement" }?.outcome ?? ""
        #expect(message.hasPrefix("the system restricts a decoder less than is required; missing: Landlock (files)"))
    }

    /// These need nothing but their bytes.
    private static let pictures =
        [
            "gray.jpg", "cmyk.jpg", "display-p3.jpg", "animated.png", "lossless.webp", "lossy-alpha.webp",
            "animated.gif",
        ].map(Fixtures.path)
        + [
            "alpha.tiff", "photo.avif", "animated.avif", "photo.jxl", "animated.jxl", "photo.bmp", "several.ico",
            "tiles.svg",
        ].map(FuzzSeeds.path)

    @Test("pictures are decoded to the same pixels as outside", arguments: EscapeRun.levels)
    func decodes(level: String) async throws {
        let run = try await EscapeRun(["decode", level, "--"] + Self.pictures)
        #expect(run.outcomes.count == Self.pictures.count)
        for (path, outcome) in run.outcomes { #expect(outcome == "same", "\(path)") }
    }

    private static let blur = """
        <svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><filter id="f"><feGaussianBlur stdDeviation="5"/>
        </filter><rect width="50" height="50" filter="url(#f)"/></svg>
        """

    @Test(
        "HEIF, whose decoder has a thread, and filters of SVG, which have several, are drawn where threads are allowed")
    func threadedDecodes() async throws {
        let files = [FuzzSeeds.path("grid.heif"), "blur.svg"]
        let run = try await EscapeRun(
            ["decode", "withThreadsAndMessages", "--"] + files, files: ["blur.svg": Self.blur])
        for (path, outcome) in run.outcomes { #expect(outcome == "same", "\(path)") }
    }

    private static func text(_ family: String, size: Int = 20) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="99" height="40"><text y="30" font-family="\(family)" \
        font-size="\(size)">Text</text></svg>
        """
    }

    @Test("text that was drawn before the fork is drawn, but no other font and size: each needs the font's file")
    func fonts() async throws {
        let files = [
            "sans.svg": Self.text("sans-serif"), "serif.svg": Self.text("serif"),
            "large.svg": Self.text("sans-serif", size: 33),
        ]
        for level in ["everything", "withThreadsAndMessages"] {
            let run = try await EscapeRun(
                ["decode", level, "sans.svg", "--", "sans.svg", "serif.svg", "large.svg"], files: files)
            #expect(run.outcomes.map { $0.outcome == "same" } == [true, false, false], "\(level)")
        }
    }

    /// Whether librsvg is of version 2.60 or newer, which has no loaders.
    private static let hasDecoders = LIBRSVG_MAJOR_VERSION > 2 || LIBRSVG_MINOR_VERSION >= 60

    @Test("pictures in SVG are drawn where their loaders, if any, were loaded before the fork, and not elsewhere")
    func loaders() async throws {
        let file = FuzzSeeds.path("pictures.svg")
        for preloads in [[file], []] {
            let run = try await EscapeRun(["decode", "everything"] + preloads + ["--", file])
            #expect((run.outcomes.first?.outcome == "same") == (!preloads.isEmpty || Self.hasDecoders))
        }
    }

    @Test("decodes leave one thread, so that what they load can be loaded before a fork, but for filters of SVG")
    func threadsAfterDecodes() async throws {
        let files = Self.pictures + [FuzzSeeds.path("grid.heif"), "text.svg", "blur.svg"]
        let run = try await EscapeRun(
            ["threads", "nothing"] + files, files: ["blur.svg": Self.blur, "text.svg": Self.text("sans-serif")])
        for (path, outcome) in run.outcomes { #expect(outcome == (path == "blur.svg" ? "more" : "one"), "\(path)") }
    }
}
