import WebImageCore

/// The kind of text that processes keep together in a file: how it is told from other text, and how errors call it.
struct SharedFileContents: Sendable {
    typealias Line = ArraySlice<UInt8>

    /// Such as `cookies`.
    let name: String
    /// The property of the downloader's settings that names the file.
    let setting: String
    /// Whether a line has an entry; other lines but comments are of another file.
    let isEntry: @Sendable (Line) -> Bool

    /// Whether nothing but entries would be lost: there is none yet, or the first line that is no comment has one.
    func isPlausible(_ bytes: some Collection<UInt8>) -> Bool {
        let lines = Array(bytes).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        for line in lines {
            if isEntry(line) { return true }
            if line.first != UInt8(ascii: "#") { return false }
        }
        return true
    }
}

extension WebImageError {
    static func unkept(
        _ contents: SharedFileContents, in path: String, because reason: String, underlying: (any Error)? = nil
    ) -> WebImageError {
        WebImageError(
            .fileFailed, stage: .load, kind: .permanent,
            reason:
                "cannot keep \(contents.name) in \(path.abbreviated(to: 300)): \(reason); check \(contents.setting)",
            underlying: underlying)
    }

    /// The file is somebody else's.
    static func foreign(_ path: String, to contents: SharedFileContents) -> WebImageError {
        WebImageError(
            .fileFailed, stage: .load, kind: .permanent,
            reason: "\(path.abbreviated(to: 300)) has no \(contents.name) but something else, which would be lost; "
                + "name another file in \(contents.setting)")
    }
}
