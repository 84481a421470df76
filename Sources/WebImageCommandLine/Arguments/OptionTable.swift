import CLinux
import Glibc
import Synchronization

/// The options of a command: parses them with the C library's `getopt_long`, and describes them.
package struct OptionTable<Target> {
    let options: [CommandOption<Target>]

    package init(options: [CommandOption<Target>]) { self.options = options }

    /// Sets the options in `target` and returns the operands. Options and operands may come in any order; `--` ends the
    /// options.
    package func parse(_ arguments: [String], into target: inout Target) throws(UsageError) -> [String] {
        var operands: [String] = []
        for found in getoptLock.withLock({ _ in scan(arguments) }) {
            switch found {
            case .operand(let text): operands.append(text)
            case .option(let index, let argument): try options[index].apply(&target, argument)
            case .refused(let error): throw error
            }
        }
        return operands
    }

    /// One line for each option, for a help text.
    package var help: String {
        let heads = options.map { option in
            let letter = option.letter.map { "-\($0), " } ?? "    "
            return "\(letter)--\(option.name)\(option.placeholder.map { " \($0)" } ?? "")"
        }
        let width = heads.map(\.count).max() ?? 0
        return zip(heads, options).map { head, option in
            let lines = option.help.split(separator: "\n", omittingEmptySubsequences: false)
            let indent = "\n" + String(repeating: " ", count: width + 4)
            return "  \(head.padded(to: width))  \(lines.joined(separator: indent))\n"
        }.joined()
    }

    private enum Found {
        case operand(String)
        case option(index: Int, argument: String)
        case refused(UsageError)
    }

    private func scan(_ arguments: [String]) -> [Found] {
        // getopt_long skips the first argument, the program's name.
        let vector = ["webimage"] + arguments
        return withCArguments(vector) { count, pointers in
            withNames { names in
                var found: [Found] = []
                var step = webimage_getopt(count, pointers, letters, names, 1)
                while step.code != -1 {
                    found.append(interpret(step, vector))
                    if case .refused = found.last { return found }
                    step = webimage_getopt(count, pointers, letters, names, 0)
                }
                return found + vector[Int(step.next)...].map(Found.operand)
            }
        }
    }

    private func interpret(_ step: webimage_getopt_step, _ vector: [String]) -> Found {
        let argument = step.argument.map { String(cString: $0) } ?? ""
        switch step.code {
        case Answer.operand:
            return .operand(argument)
        case Answer.valueMissing:
            return .refused(UsageError("\(spelling(of: step.refused)) needs a value"))
        case Answer.refused where step.refused >= Self.firstCode:
            return .refused(UsageError("\(spelling(of: step.refused)) takes no value"))
        case Answer.refused:
            let letter = UInt8(exactly: step.refused).flatMap { $0 > 0 ? Unicode.Scalar($0) : nil }
            let text = letter.map { "-\(Character($0))" } ?? vector[Int(step.next) - 1]
            return .refused(unknown(text))
        default:
            return .option(index: index(of: step.code), argument: argument)
        }
    }

    /// - Parameter text: The option as it was typed.
    private func unknown(_ text: String) -> UsageError {
        let word = text.prefix { $0 != "=" }
        let names = word.hasPrefix("--") ? options.map { "--\($0.name)" } : []
        guard let question = Suggestion(for: String(word), among: names).question else {
            return UsageError("there is no option \(text.printable), or it is not spelt out")
        }
        return UsageError("there is no option \(text.printable); \(question)")
    }

    /// The results of getopt_long besides the codes of options.
    private enum Answer {
        static var operand: Int32 { 1 }
        static var valueMissing: Int32 { Int32(UInt8(ascii: ":")) }
        static var refused: Int32 { Int32(UInt8(ascii: "?")) }
    }

    /// Codes of options start above letters and getopt's own results.
    private static var firstCode: Int32 { 256 }

    /// `-`: operands are reported in place; `:`: a missing value is distinguished from an unknown option.
    private var letters: String {
        options.reduce(into: "-:") { text, option in
            guard let letter = option.letter else { return }
            text += option.placeholder == nil ? "\(letter)" : "\(letter):"
        }
    }

    private func index(of code: Int32) -> Int {
        if code >= Self.firstCode { return Int(code - Self.firstCode) }
        return options.firstIndex { $0.letter?.asciiValue.map(Int32.init) == code } ?? 0
    }

    private func spelling(of code: Int32) -> String { "--\(options[index(of: code)].name)" }

    /// Calls `body` with the long options as a C array, which ends with an empty one.
    private func withNames<Result>(_ body: (UnsafePointer<option>) -> Result) -> Result {
        let names = options.map(\.name)
        return withCArguments(names) { _, pointers in
            var list = options.indices.map { index in
                option(
                    name: pointers[index], has_arg: options[index].placeholder == nil ? no_argument : required_argument,
                    flag: nil, val: Self.firstCode + Int32(index))
            }
            list.append(option())
            return list.withUnsafeBufferPointer { $0.baseAddress.map(body) } ?? body(&list)
        }
    }
}

/// getopt_long keeps its state in globals.
private let getoptLock = Mutex(())

/// Calls `body` with the strings as C's `argc` and `argv`.
private func withCArguments<Result>(
    _ strings: [String], _ body: (Int32, UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(Int32(strings.count), &pointers)
}
