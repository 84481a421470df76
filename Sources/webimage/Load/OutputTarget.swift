import Glibc
import WebImage

/// Where pictures are written to.
enum OutputTarget: Sendable, Equatable {
    case none
    case standardOutput
    case file(String)
    case directory(String)

    /// What `-o` says: a directory is one that exists, or a name that ends in a slash.
    init(_ output: String?, inputCount: Int) throws(UsageError) {
        guard let output else {
            self = .none
            return
        }
        if output == "-" {
            self = .standardOutput
        } else if output.hasSuffix("/") || Self.isDirectory(output) {
            self = .directory(output)
        } else {
            self = .file(output)
        }
        guard inputCount > 1 else { return }
        switch self {
        case .standardOutput: throw UsageError("-o - takes one picture and \(inputCount) are given; write -o DIR/")
        case .file: throw UsageError("\(inputCount) pictures need a directory; write -o \(output.printable)/")
        default: return
        }
    }

    /// The format that the file's extension says.
    var format: ImageFormat? {
        guard case .file(let path) = self else { return nil }
        let name = path.split(separator: "/").last ?? ""
        return WritableFormat.named(byExtension: name.nameAndExtension.extension)
    }

    /// Makes the directory and those that it is in, where they are missing.
    func makeDirectory() throws(WebImageError) {
        guard case .directory(let path) = self else { return }
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += "\(part)/"
            guard mkdir(made, 0o777) != 0 else { continue }
            let code = errno
            if code != EEXIST, !Self.isDirectory(made) { throw SystemError(code).making(directory: made) }
        }
        if !Self.isDirectory(path) { throw SystemError(ENOTDIR).making(directory: path) }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }
}
