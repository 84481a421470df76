import FoundationEssentials
import Glibc

/// `webimage-frames`, which measures a window on a virtual screen.
enum FrameProgram {
    /// `scripts/bench` builds it and sets the path; nil on a machine without GTK.
    static var path: String? { getenv("WEBIMAGE_FRAMES").map { String(cString: $0) } }

    /// Runs it, and returns the two numbers that it prints.
    ///
    /// - Parameters:
    ///   - renderer: nil for the usual one.
    ///   - isolation: Which pictures processes of their own decode, `helper` or `all`; nil for none.
    static func run(
        _ arguments: String, renderer: Renderer? = .cairo, isolation: String? = nil
    ) throws -> [Double] {
        guard let path else { throw BenchmarkError("WEBIMAGE_FRAMES does not name the program to measure") }
        let folder = TemporaryDirectory()
        let report = folder.path + "/frames"
        let command = """
            \(renderer.map { "GSK_RENDERER=\($0)" } ?? "") \
            \(isolation.map { "WEBIMAGE_ISOLATION=\($0)" } ?? "") GTK_A11Y=none \
            xvfb-run -a -s '-screen 0 1400x900x24' "$0" \(arguments) > "$1"
            """
        try Child.run("sh", ["-c", command, path, report])
        let line = String(decoding: try Data(contentsOf: URL(filePath: report)), as: UTF8.self)
        let numbers = line.split(whereSeparator: \.isWhitespace).dropFirst().compactMap { Double($0) }
        guard numbers.count == 2 else {
            throw BenchmarkError("\(path) printed \"\(line)\" instead of a name and two numbers")
        }
        return numbers
    }
}
