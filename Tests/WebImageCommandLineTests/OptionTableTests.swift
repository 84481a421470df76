import Testing
import WebImage

@testable import WebImageCommandLine
@testable import webimage

@Suite("Command line: options")
struct OptionTableTests {
    @Test("options and operands come in any order")
    func anyOrder() throws {
        let orders = [
            ["-o", "a.png", "--thumbnail", "3x2", "x.jpg"], ["x.jpg", "-o", "a.png", "--thumbnail", "3x2"],
            ["--thumbnail=3x2", "x.jpg", "-oa.png"], ["--output=a.png", "x.jpg", "--thumb", "3x2"],
        ]
        for arguments in orders {
            let command = try #require(try LoadCommand.parse(arguments))
            #expect(command.operands.map(\.name) == ["x.jpg"])
            #expect(command.target == .file("a.png"))
            #expect(command.loading.thumbnail == PixelBox(width: 3, height: 2))
        }
    }

    @Test("-- ends the options, and operands follow")
    func endOfOptions() throws {
        let command = try #require(try LoadCommand.parse(["-q", "a.jpg", "--", "--raw", "-o"]))
        #expect(command.operands.map(\.name) == ["a.jpg", "--raw", "-o"])
        #expect(command.report.isQuiet && !command.loading.isRaw && command.target == .none)
    }

    @Test("a letter and a word set the same, switches may stand together, and the last value counts")
    func letters() throws {
        let command = try #require(try LoadCommand.parse(["-qo", "a/", "--output", "b/", "x", "y"]))
        #expect(command.report.isQuiet && command.target == .directory("b/"))
    }

    @Test("a lone - is an operand")
    func dash() throws {
        #expect(try InfoCommand.parse(["-"])?.operands.map(\.name) == ["-"])
    }

    @Test(
        "every wrong value is refused by name, with the accepted range",
        arguments: [
            ("--thumbnail", "0x5", "1 to 65535"), ("--thumbnail", "70000x5", "65535"), ("--thumbnail", "x", "300x200"),
            ("--thumbnail", "0", "300x or x200"), ("--thumbnail", "", "300x200"), ("--thumbnail", "x0", "x200"),
            ("--thumbnail", "-5x5", "300x200"), ("--thumbnail", "5x5x5", "300x200"),
            ("--quality", "0", "1 to 100"), ("--quality", "101", "1 to 100"), ("--quality", "+9", "1 to 100"),
            ("--quality", "99999999999999999999", "1 to 100"), ("--concurrency", "0", "1 to 64"),
            ("--concurrency", "65", "1 to 64"), ("--concurrency", "", "1 to 64"), ("--timeout", "0", "seconds above 0"),
            ("--timeout", "-1", "seconds above 0"), ("--timeout", "nan", "seconds above 0"),
            ("--timeout", "inf", "seconds above 0"), ("--timeout", "1e9", "seconds above 0"),
            ("--format", "svg", "jpeg, png, webp, gif, avif, heic, jxl, tiff, bmp or pam"),
            ("--output", "", "not empty"),
            ("--cache", "", "not empty"),
        ])
    func wrongValues(option: String, value: String, range: String) {
        let error = refusal { try LoadCommand.parse(["x.jpg", "-o", "y/", "\(option)=\(value)"]) }
        #expect(error?.message.hasPrefix("\(option) \(value)") == true, "\(error?.message ?? "accepted")")
        #expect(error?.message.contains(range) == true)
    }

    @Test("the ends of every range are accepted")
    func ends() throws {
        for value in ["1x1", "65535x65535", "1", "65535", "1x", "x65535"] {
            _ = try LoadCommand.parse(["x", "--thumbnail", value])
        }
        for value in ["1", "100"] { _ = try LoadCommand.parse(["x", "-o", "y", "--quality", value]) }
        for value in ["1", "64"] { _ = try LoadCommand.parse(["x", "--concurrency", value]) }
        for value in ["0.001", "86400"] { _ = try LoadCommand.parse(["x", "--timeout", value]) }
        for value in ["jpeg", "PNG", "webp", "pam"] { _ = try LoadCommand.parse(["x", "-o", "y", "--format", value]) }
    }

    @Test(
        "an unknown option, a missing value and a value too many are distinguished",
        arguments: [
            (["--nonsense"], "there is no option --nonsense"), (["-x"], "there is no option -x"),
            (["-qx"], "there is no option -x"), (["a", "--quality"], "--quality needs a value"),
            (["a", "-o"], "--output needs a value"), (["--raw=yes"], "--raw takes no value"),
            (["--c", "1"], "there is no option --c"),
        ])
    func refusals(arguments: [String], message: String) {
        #expect(refusal { try LoadCommand.parse(arguments) }?.message.hasPrefix(message) == true)
    }

    @Test(
        "incompatible options are refused with the right ones",
        arguments: [
            ([], "give a URL"), (["a", "b", "-o", "c.png"], "-o c.png/"), (["a", "b", "-o", "-"], "-o DIR/"),
            (["a", "--raw"], "-o FILE.pam"), (["a", "--raw", "-o", "b.png"], "PAM"),
            (["a", "--raw", "-o", "b/"], "PAM"),
            (["a", "--raw", "--format", "png", "-o", "b.pam"], "PAM"),
            (["a", "--raw", "-o", "b.pam", "--thumbnail", "9x9"], "--thumbnail"), (["a", "--format", "png"], "-o"),
            (["a", "--quality", "9"], "-o"), (["a", "--no-cache", "--refresh"], "--refresh"),
            (["a", "--no-cache", "--cache", "d"], "--cache"),
        ] as [([String], String)])
    func contradictions(arguments: [String], hint: String) {
        let error = refusal { try LoadCommand.parse(arguments) }
        #expect(error?.message.contains(hint) == true, "\(error?.message ?? "accepted")")
    }

    @Test("the help of a command has a line for each of its options, and fits into 120 columns")
    func help() throws {
        #expect(try LoadCommand.parse(["x", "--nonsense-free", "-h"].filter { $0 != "--nonsense-free" }) == nil)
        for text in [
            LoadCommand.help, InfoCommand.help, CacheCommand.help, ConvertCommand.help, FramesCommand.help,
            ExplainCommand.help, DescribedTransition.help, CompareCommand.help, ShowCommand.help,
        ] {
            for option in ["--json", "-q, --quiet", "-h, --help"] { #expect(text.contains("  \(option)")) }
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
        }
        let options = [
            "-o, --output FILE|DIR", "--thumbnail WxH", "--format FORMAT", "--quality N", "--raw",
        ]
        let others = ["--cache DIR", "--no-cache", "--refresh", "--concurrency N", "--timeout S"]
        for option in options + others { #expect(LoadCommand.help.contains("\(option) "), "\(option)") }
    }

    /// The help of `webimage transition`, whose program may not be built.
    private struct DescribedTransition: Command {
        static let name = TransitionOptions.name
        static let summary = TransitionOptions.summary
        static let synopsis = TransitionOptions.synopsis
        static var options: [CommandOption<Self>] { TransitionOptions.options(of: \.settings) }
        static var notes: String { TransitionOptions.notes }
        var report = ReportOptions()
        var settings = TransitionOptions()
        mutating func prepare(operands: [String]) {}
        func run(on console: Console) async -> ExitCode { .done }
    }

    private func refusal<Value>(_ body: () throws -> Value) -> UsageError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? UsageError
        }
    }
}
