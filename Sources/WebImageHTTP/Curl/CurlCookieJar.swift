import CCurl
import FoundationEssentials
import WebImageCore

/// The cookies of one downloader, for the handles that use them, and the file that remembers them. Belongs to the transfer
/// thread; since no other thread uses it, libcurl needs no lock functions.
///
/// libcurl keeps the cookies, but not their file: it empties a file before it writes it, and knows of no other process.
final class CurlCookieJar {
    let pointer: UnsafeMutableRawPointer
    private let file: SharedTextFile?
    /// The cookies of the file at the last look.
    private var saved = CookieTable()
    /// The cookies of the jar at that time.
    private var known = CookieTable()
    private var hasWarned = false

    /// - Parameter path: Where cookies are read from, and where ``save(at:)`` writes them; nil for memory only. A file that
    ///   does not exist is made, for the user alone: cookies are secrets.
    init(file path: String? = nil) throws(WebImageError) {
        try CurlLibrary.start()
        file = path.map { SharedTextFile(path: $0, contents: .cookies) }
        let text = try file?.readBytes() ?? []
        guard let pointer = curl_share_init() else { throw .curl("libcurl has no memory for cookies") }
        self.pointer = pointer
        let result = webimage_curl_share_set_data(pointer, CURL_LOCK_DATA_COOKIE)
        guard result == CURLSHE_OK else { throw .curl("libcurl cannot keep cookies: \(Self.words(result))") }
        if !text.isEmpty { try fill(with: text) }
    }

    /// The handles that use the jar retain it, so that none is left here.
    deinit { curl_share_cleanup(pointer) }

    /// Writes what has changed since then into the file. The load goes on where that fails, with a warning.
    func save(at now: Date = Date()) {
        guard let file else { return }
        var merged = CookieTable()
        do throws(WebImageError) {
            var current = CookieTable(lines: try handle().cookieLines)
            current.removeExpired(at: now.wholeSeconds)
            let changes = current.changes(since: known)
            guard !changes.isEmpty else { return }
            try file.updateBytes { text in
                merged = CookieTable(text: text)
                merged.merge(changes, over: saved)
                return merged.text(at: now.wholeSeconds)
            }
            (saved, known) = (merged, current)
        } catch {
            if !hasWarned { WebImageLog.warn(error.reason) }
            hasWarned = true
        }
    }

    private func fill(with text: [UInt8]) throws(WebImageError) {
        saved = CookieTable(text: text)
        let handle = try handle()
        for line in saved.lines { try handle.add(cookie: line) }
        known = CookieTable(lines: handle.cookieLines)
        // These are written in Netscape's format the next time.
        for line in text.split(separator: UInt8(ascii: "\n")) where line.isCookieField { try handle.add(cookie: line) }
    }

    /// A handle that has the cookies.
    private func handle() throws(WebImageError) -> CurlHandle {
        let handle = try CurlHandle()
        try handle.set(CURLOPT_SHARE, pointer: pointer)
        return handle
    }

    private static func words(_ result: CURLSHcode) -> String { String(cString: curl_share_strerror(result)) }
}
