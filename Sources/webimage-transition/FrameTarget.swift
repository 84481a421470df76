import WebImage
import WebImageCommandLine

/// The target to which frames are written.
enum FrameTarget: Equatable {
    /// An animation on standard output.
    case standardOutput
    /// An animation in a file.
    case animation(String)
    /// A file for each frame.
    case pictures(NumberedNames)

    init(_ output: String) throws(UsageError) {
        if output.isStandardOutput {
            self = .standardOutput
        } else if output.hasSuffix("/") || OutputDirectory(output).exists {
            self = .pictures(NumberedNames(directory: output))
        } else if output.hasExtension("webp") {
            self = .animation(output)
        } else if output.hasExtension("png"), let names = NumberedNames(pattern: output) {
            self = .pictures(names)
        } else {
            throw UsageError(
                "-o \(output.printable): write FILE.webp for an animation, DIR/ or a name like DIR/%04d.png for PNGs")
        }
    }

    /// The files for this number of frames.
    func files(frameCount: Int) -> [String] {
        switch self {
        case .standardOutput: []
        case .animation(let path): [path]
        case .pictures(let names): (0..<frameCount).map { names[$0] }
        }
    }

    var isAnimation: Bool {
        if case .pictures = self { false } else { true }
    }
}

extension String {
    fileprivate func hasExtension(_ name: String) -> Bool { lowercased().hasSuffix(".\(name)") }
}

/// File names that differ in a number.
struct NumberedNames: Equatable {
    /// The pattern as given.
    let pattern: String
    private let head: String
    private let tail: String
    private let digits: Int

    /// `DIR/0000.png` and so on.
    init(directory: String) {
        pattern = directory
        head = directory.hasSuffix("/") ? directory : "\(directory)/"
        tail = ".png"
        digits = 4
    }

    /// A name in which `%d`, or `%04d` for four digits, is replaced by the number; nil for a name without one. `%%` is
    /// a percent sign.
    init?(pattern: String) {
        guard let mark = pattern.firstMatch(of: /%(?:0([1-9]))?d/) else { return nil }
        let (before, after) = (pattern[..<mark.range.lowerBound], pattern[mark.range.upperBound...])
        guard !after.contains("/"), Self.isPlain(before), Self.isPlain(after) else { return nil }
        self.pattern = pattern
        head = Self.plain(before)
        tail = Self.plain(after)
        digits = mark.output.1.flatMap { Int($0) } ?? 1
    }

    subscript(number: Int) -> String {
        let text = String(number)
        return head + String(repeating: "0", count: max(0, digits - text.count)) + text + tail
    }

    /// The directory of all files, with a trailing slash; empty for the working directory.
    var directory: String { head.lastIndex(of: "/").map { String(head[...$0]) } ?? "" }

    private static func isPlain(_ text: Substring) -> Bool {
        !text.split(separator: "%%").contains { $0.contains("%") }
    }
    private static func plain(_ text: Substring) -> String {
        text.split(separator: "%%", omittingEmptySubsequences: false).joined(separator: "%")
    }
}
