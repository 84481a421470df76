import FoundationEssentials

/// Distinguishes files without keeping them. Files that were crafted to have equal fingerprints count as one: it
/// protects against accidents only.
package struct FileFingerprint: Hashable, Sendable {
    private let byteCount: Int
    private let checksum: UInt64

    /// Reads the file once, at memory speed.
    package init(_ file: Data) {
        byteCount = file.count
        checksum = XXH3.checksum(of: file.bytes)
    }

    package init(byteCount: Int, checksum: UInt64) { (self.byteCount, self.checksum) = (byteCount, checksum) }

    /// For a file that names another one.
    package var text: String { "\(byteCount)-\(String(checksum, radix: 16))" }

    /// The fingerprint of that text; nil for any other.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let byteCount = Int(parts[0]), let checksum = UInt64(parts[1], radix: 16) else {
            return nil
        }
        self.init(byteCount: byteCount, checksum: checksum)
    }
}
