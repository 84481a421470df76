import FoundationEssentials
import Glibc
import WebImageCore
import WebImageHTTP

/// Loads `local:///path` from below one directory, and nothing else of this machine.
///
/// A response has a validator, an `ETag` of the file's size and time, and says that it is to be compared at each use. So loads
/// that follow the server (``HTTPCachePolicy``) see a file that has changed, and one that has not is not read again.
final class DirectoryLoader: ImageLoader {
    private let root: RootFolder
    private let maximumByteCount: Int
    private let queue = JobQueue(label: "WebImage.directory", limit: 4)

    /// - Parameter maximumByteCount: Larger files are refused.
    init(root: RootFolder, maximumByteCount: Int) {
        self.root = root
        self.maximumByteCount = maximumByteCount
    }

    func canLoad(_ url: URL) -> Bool { url.hasScheme("local") }

    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        let (root, limit) = (root, maximumByteCount)
        return JobLoadTask(request, queue: queue, receive: receive) { cancellation throws(WebImageError) in
            let (descriptor, path) = try root.open(request.url.localPath)
            let reader = FileReader(FilePath(bytes: path), descriptor: descriptor)
            // Before the read: a file that is changed meanwhile is another one by then.
            let (revision, head) = (reader.revision, HTTPResponse(url: request.url, file: descriptor))
            if let head, request.knows(head) { throw .unchanged(head) }
            let report = { (data: Data, progress: LoadProgress) in
                receive(.progress(progress))
                receive(.data(data))
            }
            let data = try reader.readAll(
                limit: limit, cancellation: cancellation, report: request.reportsData ? report : nil)
            var response = ImageLoadResponse(data: data, http: head)
            response.file = revision
            return response
        }
    }
}

extension URL {
    /// The bytes of the file's path, decoded once.
    fileprivate var localPath: [UInt8] {
        get throws(WebImageError) {
            guard host()?.isEmpty ?? true else {
                throw .invalidAddress("a local address names no host; write local:///path")
            }
            guard let path = path(percentEncoded: true).withUTF8Bytes(PercentEncoding.decode), !path.contains(0) else {
                throw .invalidAddress("its path is not percent-encoded rightly; write a % itself as %25")
            }
            return path
        }
    }
}

extension ImageLoadRequest {
    /// Whether the load has the file already.
    fileprivate func knows(_ head: HTTPResponse) -> Bool {
        let known = validators.overlaid(by: headers).withLowercasedNames["if-none-match"]
        return known != nil && known == head.headers["etag"]
    }
}

extension HTTPResponse {
    /// As a server would send a file that is open; nil for what is no regular file.
    fileprivate init?(url: URL, file descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        // Neither the inode nor the time of its change, which differ between the machines of a fleet.
        let time = FileTime(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
        let tag = "\(String(status.st_size, radix: 16))-\(String(time.nanoseconds, radix: 16))"
        self.init(
            url: url, statusCode: 200,
            headers: [
                "content-length": "\(status.st_size)", "etag": "\"\(tag)\"", "cache-control": "no-cache",
                "last-modified": HTTPDate.text(secondsSince1970: status.st_mtim.tv_sec),
            ])
    }
}

extension WebImageError {
    fileprivate static func unchanged(_ head: HTTPResponse) -> WebImageError {
        var error = WebImageError(
            .cacheNotModified, stage: .load, kind: .permanent,
            reason: "the file has not changed since it was loaded", statusCode: 304)
        error.response = head
        error.response?.statusCode = 304
        return error
    }
}
