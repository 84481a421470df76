import FoundationEssentials
import WebImage
import WebImageCommandLine

/// The pictures of a command: its operands, and the lines of the lists that `--from` names.
struct PictureList: Sendable {
    /// Files with an address in each line, or `-`.
    var lists: [String] = []
    private(set) var operands: [Operand] = []

    /// The options that set this property of a command.
    static func options<Target>(of property: WritableKeyPath<Target, Self>) -> [CommandOption<Target>] {
        [
            .values(
                "from", .text("LIST", completion: .files), property.appending(path: \.lists),
                help: "also the URLs and paths in the file LIST, one a line; - is standard input")
        ]
    }

    /// For the notes of a command's help.
    static let notes = """
        In the LIST of --from, empty lines and those that begin with # are skipped, and spaces around a name; names may be
        separated by zero bytes instead, as by find -print0.
        """

    mutating func take(_ operands: [String]) throws(UsageError) {
        guard !operands.isEmpty || !lists.isEmpty else {
            throw UsageError("no picture; give a URL or a path, or a list of them with --from")
        }
        self.operands = operands.map(Operand.init)
        guard lists.filter({ $0 == "-" }).count + self.operands.filter(\.isStandardInput).count > 1 else { return }
        throw UsageError("standard input is read once; give - once, for a picture or for --from")
    }

    /// The files that are read.
    var files: Set<FileIdentity> { Set(operands.compactMap(\.file) + lists.compactMap { Operand($0).file }) }

    /// The same with the lines of all lists as operands.
    func read() async throws(WebImageError) -> PictureList {
        var whole = self
        whole.lists = []
        for list in lists {
            let bytes = try await LongWork.run { flag throws(WebImageError) in
                list == "-"
                    ? try StandardInput.readAll(until: flag) : try InputDescriptor.readAll(path: list, until: flag)
            }
            try whole.append(bytes, of: list)
        }
        return whole
    }

    private mutating func append(_ list: Data, of source: String) throws(WebImageError) {
        let isBinary = list.withUnsafeBytes { $0.has(0) }
        let separator = isBinary ? 0 : UInt8(ascii: "\n")
        var (rest, number) = (list[...], 0)
        while !rest.isEmpty {
            number += 1
            let line = rest.prefix(before: separator)
            rest = rest.dropFirst(line.count + 1)
            let name = isBinary ? line : Self.name(in: line)
            guard !name.isEmpty, isBinary || name.first != UInt8(ascii: "#") else { continue }
            guard let text = String(validating: name, as: UTF8.self) else { throw Self.notUTF8(number, source) }
            operands.append(Operand(text))
        }
    }

    /// Without a byte order mark, spaces around it, and the return of a line's end.
    private static func name(in line: Data) -> Data {
        let mark = "\u{FEFF}".utf8
        let text = line.starts(with: mark) ? line.dropFirst(mark.count) : line
        let whole = text.drop { $0 == UInt8(ascii: "\r") }.prefix(before: UInt8(ascii: "\r"))
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let beginning = whole.drop(while: isSpace)
        return beginning.prefix(
            (beginning.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? beginning.startIndex) - beginning.startIndex)
    }

    private static func notUTF8(_ number: Int, _ source: String) -> WebImageError {
        WebImageError(
            .invalidURL, stage: .load, kind: .permanent,
            reason:
                "name \(number) of \(source == "-" ? "standard input" : source.printable) is not UTF-8; write it as a "
                + "file: URL with %FF and the like for such bytes")
    }
}

extension Data {
    /// All bytes before the first `byte`.
    fileprivate func prefix(before byte: UInt8) -> Data {
        prefix(withUnsafeBytes { $0.firstOffset(of: byte) } ?? count)
    }
}
