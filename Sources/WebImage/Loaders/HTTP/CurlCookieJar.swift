import CCurl
import Glibc

/// The cookies of one downloader, for the handles that use them. Belongs to the transfer thread; since no other thread uses
/// it, libcurl needs no lock functions.
final class CurlCookieJar {
    let pointer: UnsafeMutableRawPointer
    private let file: String?
    private var hasWarned = false

    /// - Parameter file: Where cookies are read from, and where ``save()`` writes them; nil for memory only. A file that does
    ///   not exist is made, for the user alone: cookies are secrets.
    init(file: String? = nil) throws(WebImageError) {
        try CurlLibrary.start()
        if let file {
            try Self.checkWritable(file)
            guard CookieFile.isPlausible(file) else { throw .noCookieFile(file) }
        }
        guard let pointer = curl_share_init() else { throw .curl("libcurl has no memory for cookies") }
        self.pointer = pointer
        // libcurl takes a lone - for the standard input and output.
        self.file = file == "-" ? "./-" : file
        let result = webimage_curl_share_set_data(pointer, CURL_LOCK_DATA_COOKIE)
        guard result == CURLSHE_OK else { throw .curl("libcurl cannot keep cookies: \(Self.words(result))") }
        try exchange(CURLOPT_COOKIEFILE, "RELOAD")
    }

    /// The handles that use the jar retain it, so that none is left here.
    deinit { curl_share_cleanup(pointer) }

    /// Writes the file anew, as a whole. The load goes on where that fails, with a warning.
    func save() {
        guard let file else { return }
        do throws(WebImageError) {
            try Self.checkWritable(file)
            try exchange(CURLOPT_COOKIEJAR, "FLUSH")
        } catch {
            if !hasWarned { WebImageLog.warn(error.reason) }
            hasWarned = true
        }
    }

    /// Lets a handle that shares the cookies read or write the file.
    private func exchange(_ option: CURLoption, _ command: String) throws(WebImageError) {
        guard let file else { return }
        let handle = try CurlHandle()
        try handle.set(CURLOPT_SHARE, pointer: pointer)
        try handle.set(option, file)
        try handle.set(CURLOPT_COOKIELIST, command)
    }

    /// libcurl reports no failure to write cookies.
    private static func checkWritable(_ file: String) throws(WebImageError) {
        // Not blocking: nobody may read from a pipe.
        let descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw WebImageError(
                .fileFailed, stage: .load, kind: .permanent,
                reason: "cannot keep cookies in \(file): \(String(systemError: errno)); check cookieFile")
        }
        close(descriptor)
    }

    private static func words(_ result: CURLSHcode) -> String { String(cString: curl_share_strerror(result)) }
}

extension WebImageError {
    fileprivate static func noCookieFile(_ file: String) -> WebImageError {
        WebImageError(
            .fileFailed, stage: .load, kind: .permanent,
            reason: "\(file) has no cookies but something else, which would be lost; name another file in cookieFile")
    }
}
