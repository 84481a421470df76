import WebImage
import WebImageCommandLine

/// The destination of pictures.
enum OutputTarget: Sendable, Equatable {
    case none
    case standardOutput
    case file(String)
    case directory(String)

    /// The value of `-o`: a directory is one that exists, or a name that ends in a slash.
    init(_ output: String?, inputCount: Int) throws(UsageError) {
        guard let output else {
            self = .none
            return
        }
        if output.isStandardOutput {
            self = .standardOutput
        } else if output.hasSuffix("/") || OutputDirectory(output).exists {
            self = .directory(output)
        } else {
            self = .file(output)
        }
        try check(inputCount: inputCount)
    }

    /// Refuses several pictures for one file.
    func check(inputCount: Int) throws(UsageError) {
        guard inputCount > 1 else { return }
        switch self {
        case .standardOutput: throw UsageError("-o - takes one picture and \(inputCount) are given; write -o DIR/")
        case .file(let path): throw UsageError("\(inputCount) pictures need a directory; write -o \(path.printable)/")
        default: return
        }
    }

    /// Refuses an output that would destroy an input.
    func check(_ rules: OutputRules) throws(UsageError) {
        switch self {
        case .standardOutput: try rules.checkStandardOutput()
        case .file(let path): try rules.check(output: path)
        default: return
        }
    }

    /// The format of the file's extension.
    var format: ImageFormat? {
        guard case .file(let path) = self else { return nil }
        let name = path.split(separator: "/").last ?? ""
        return ImageFormat(fileExtension: name.nameAndExtension.extension)
    }

    /// Creates the directory and its missing parents.
    func makeDirectory() throws(WebImageError) {
        guard case .directory(let path) = self else { return }
        try OutputDirectory(path).make()
    }
}
