import FoundationEssentials
import Glibc
import WebImageCache
import WebImageCore
import WebImageHTTP

extension ImageCache {
    /// Writes a copy of a picture's file, as the server has sent it, for another program: to attach, to open, to send. The
    /// copy belongs to the caller, who removes it; the cache and the copy do not affect each other. (The cache's own file,
    /// ``cachePath(for:)``, begins with a header that other programs do not know.)
    ///
    /// ```swift
    /// let copy = try await cache.copyFile(for: key)  // the server's bytes, for another program; remove it when it is done
    /// ```
    /// - Parameters:
    ///   - key: That of the picture's file.
    ///   - directory: Exists already. nil, the default, makes one for this file alone in the system's directory for temporary
    ///     files, which only this user can read.
    /// - Returns: The copy, named after the picture, with the usual extension of its format. In a `directory` of the caller's,
    ///   a file of that name is replaced.
    /// - Throws: ``WebImageError/Code/notCached`` when the disk does not have the file;
    ///   ``WebImageError/Code/accessDenied``, ``WebImageError/Code/fileNotFound``, ``WebImageError/Code/diskFull`` or
    ///   ``WebImageError/Code/fileFailed``, where the copy cannot be written.
    public func copyFile(for key: CacheKey, to directory: URL? = nil) async throws(WebImageError) -> URL {
        guard let data = try await data(for: key) else {
            throw WebImageError(
                .notCached, stage: .disk, kind: .permanent,
                reason: "the disk cache has no file of \(key); load the picture first, with the disk among its tiers")
        }
        let result: Result<URL, WebImageError> = await withCheckedContinuation { continuation in
            JobQueue.decoding.submit(priority: .normal) {
                continuation.resume(
                    returning: Result { () throws(WebImageError) in
                        let place = if let directory { directory } else { try URL.newTemporaryDirectory() }
                        let file = place.appending(path: key.fileName(of: data))
                        do throws(WebImageError) { try FileWriter(to: file).write(data) } catch {
                            if directory == nil { rmdir(place.path(percentEncoded: false)) }
                            throw error.about(file)
                        }
                        return file
                    })
            }
        }
        return try result.get()
    }
}

extension URL {
    fileprivate static func newTemporaryDirectory() throws(WebImageError) -> URL {
        let template = URL.temporaryDirectory.appending(path: "webimage-XXXXXX").path(percentEncoded: false)
        var path = Array(template.utf8CString)
        guard mkdtemp(&path) != nil else {
            throw FileSystemError(.makeDirectory, template, code: errno).webImageError(stage: .store)
        }
        return URL(filePath: String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
}

extension CacheKey {
    /// A name for a file with these bytes: the last component of the address, within what all file systems take.
    fileprivate func fileName(of data: Data) -> String {
        let path = string.prefix { $0 != "?" && $0 != "#" }
        // Without the user and the digest of a password, where the address has nothing but a host.
        let last = path.split(separator: "/").last?.split(separator: "@").last.map(String.init) ?? ""
        let decoded =
            last.withUTF8Bytes(PercentEncoding.decode).flatMap { String(validating: $0, as: UTF8.self) } ?? last
        let allowed = decoded.unicodeScalars.filter { $0 != "/" && $0.value >= 32 && $0.value != 127 }
        var name = String(String.UnicodeScalarView(allowed)).trimmingPrefix { $0 == "." }
        let format = ImageFormat(sniffing: data)
        let usual = format.fileExtension ?? ""
        if let dot = name.lastIndex(of: "."), ImageFormat(fileExtension: String(name[name.index(after: dot)...])) != nil
        {
            name = name[..<dot]
        }
        while name.utf8.count > 200 { name = name.dropLast() }
        return (name.isEmpty ? "picture" : String(name)) + (usual.isEmpty ? "" : "." + usual)
    }
}
