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
            whole.operands += try Self.names(in: bytes, of: list).map(Operand.init)
        }
        return whole
    }

    private static func names(in list: Data, of source: String) throws(WebImageError) -> [String] {
        let zero = UInt8(0)
        let isBinary = list.contains(zero)
        var names: [String] = []
        for (index, bytes) in list.split(
            separator: isBinary ? zero : UInt8(ascii: "\n"), omittingEmptySubsequences: false
        )
        .enumerated() {
            guard let text = String(validating: bytes, as: UTF8.self) else { throw notUTF8(index + 1, source) }
            let name =
                isBinary
                ? text : String(text.drop { $0 == "\u{FEFF}" }.split(separator: "\r").first ?? "").trimmingSpaces
            if !name.isEmpty, isBinary || !name.hasPrefix("#") { names.append(name) }
        }
        return names
    }

    private static func notUTF8(_ number: Int, _ source: String) -> WebImageError {
        WebImageError(
            .invalidURL, stage: .load, kind: .permanent,
            reason:
                "name \(number) of \(source == "-" ? "standard input" : source.printable) is not UTF-8; write it as a "
                + "file: URL with %FF and the like for such bytes")
    }
}
