import FoundationEssentials

/// Distinguishes files without keeping them. Files that were crafted to have equal fingerprints count as one: it
/// protects against accidents only.
struct FileFingerprint: Hashable, Sendable {
    private let byteCount: Int
    private let checksum: UInt64

    /// Reads the file once, at memory speed.
    init(_ file: Data) {
        byteCount = file.count
        checksum = XXH3.checksum(of: file.bytes)
    }

    /// For a file that names another one.
    var text: String { "\(byteCount)-\(String(checksum, radix: 16))" }
}
