import FoundationEssentials
import Glibc
import WebImageCore

/// Entries that were made from others.
extension DiskCache {
    /// Removes the entries of thumbnails and transformed pictures that were made from the picture called `original`,
    /// whichever process has stored them. Lists one of 256 directories.
    ///
    /// - Parameter file: The fingerprint of the picture's file now: what was made of it stays. nil removes all.
    /// - Throws: The first error, with stage ``WebImageError/Stage/store``; all other entries are removed nevertheless.
    public func removeDerived(from original: CacheKey, unlessOf file: String?) throws(WebImageError) {
        defer { endCall() }
        var failure: FileSystemError?
        do throws(FileSystemError) {
            for name in try files.derivedNames(from: DiskEntryName(original)) where !notes(name, file) {
                do throws(FileSystemError) { try remove(name) } catch { failure = failure ?? error }
            }
        } catch {
            failure = error
        }
        if let failure { throw troubles.tell(failure, stage: .store) }
    }

    /// The fingerprint of an original's file, or of the server's file that the app's serializer has made it from; nil when there
    /// is none. Reads the beginning of the entry.
    public func fileFingerprint(for key: CacheKey) -> String? {
        ((try? files.fingerprint(of: key, DiskEntryName(key))) ?? nil)?.text
    }

    /// Whether there are thumbnails or transformed pictures that were made from another file of the picture called `original`
    /// than `file`. Lists one of 256 directories.
    func hasDerived(from original: CacheKey, ofOtherThan file: String) -> Bool {
        let names = (try? files.derivedNames(from: DiskEntryName(original))) ?? []
        return names.contains { name in
            let summary = (try? files.summary(of: name)) ?? nil
            return summary?.headers[HTTPRecord.original].map { $0 != file } ?? false
        }
    }

    private func notes(_ name: DiskEntryName, _ file: String?) -> Bool {
        guard let file, let summary = (try? files.summary(of: name)) ?? nil else { return false }
        return summary.headers[HTTPRecord.original] == file
    }
}

extension DiskDirectory {
    /// The names of the files that were made from the picture in the file `original`.
    fileprivate func derivedNames(from original: DiskEntryName) throws(FileSystemError) -> [DiskEntryName] {
        var names: [DiskEntryName] = []
        do {
            try fileSystem.forEachName(of: path(of: original.directory)) { bytes in
                if let name = DiskEntryName(digits: bytes), name.isDerived(from: original) { names.append(name) }
            }
        } catch {
            guard error.isNotFound || error.code == ENOTDIR else { throw error }
        }
        return names
    }
}
