import WebImageCommandLine

/// The program's page of the manual, in the macros of man(7).
struct ManualPage {
    private let program: ProgramDescription

    init(_ program: ProgramDescription) { self.program = program }

    var text: String {
        let title = program.name.uppercased()
        let blocks =
            [
                ".\\\" Made by \(program.name) --generate man.",
                // Without a date, so that the same program always writes the same page.
                ".TH \(title) 1 \"\" \"\(program.name) \(program.version)\" \"User Commands\"",
                // Neither hyphens, which would break the names of options, nor wide spaces.
                ".nh", ".ad l", ".SH NAME", "\(Roff(program.name)) \\- \(Roff(program.summary.lowercasedFirst))",
                ".SH SYNOPSIS",
            ] + program.synopsis.flatMap { synopsis($0, of: program.name) } + [".SH DESCRIPTION"]
            + paragraphs(program.notes) + [".SH OPTIONS"] + program.options.flatMap(option) + [".SH COMMANDS"]
            + program.commands.flatMap(command)
        return blocks.joined(separator: "\n") + "\n"
    }

    private func command(_ command: CommandDescription) -> [String] {
        let name = "\(program.name) \(command.name)"
        var lines = [".SS \(Roff(name))", "\(Roff(command.summary)).", ".PP"]
        for words in command.synopsis { lines += synopsis(words, of: name) }
        for each in command.options { lines += option(each) }
        return lines + [".PP"] + paragraphs(command.notes)
    }

    private func synopsis(_ words: String, of name: String) -> [String] {
        ["\\fB\(Roff(name))\\fR \(Roff(words))", ".br"]
    }

    private func option(_ option: OptionDescription) -> [String] {
        let value = option.placeholder.map { " \\fI\(Roff($0))\\fR" } ?? ""
        let head = option.spellings.map { "\\fB\(Roff($0))\\fR" }.joined(separator: ", ")
        return [".TP", head + value, Roff(option.help).line]
    }

    /// Paragraphs, which empty lines separate; their lines are filled anew.
    private func paragraphs(_ text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let blocks = lines.split { $0.allSatisfy(\.isWhitespace) }
        return Array(blocks.map { [Roff($0.joined(separator: " ")).line] }.joined(separator: [".PP"]))
    }
}

/// Text in the form that roff prints as it is.
private struct Roff: CustomStringConvertible {
    let description: String

    init(_ text: String) {
        description = text.unicodeScalars.map(Self.escaped).joined()
    }

    /// For the beginning of a line, where dots and quotes begin requests.
    var line: String { description.hasPrefix(".") || description.hasPrefix("'") ? "\\&\(description)" : description }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\": "\\e"
        // A plain one would become a hyphen, which cannot be copied to a shell.
        case "-": "\\-"
        case "'": "\\(aq"
        case "`": "\\(ga"
        case "^": "\\(ha"
        case "~": "\\(ti"
        case "\"": "\\(dq"
        default: scalar.isASCII ? String(scalar) : "\\[u\(hexadecimal(scalar))]"
        }
    }

    /// At least four digits, as groff has them.
    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
