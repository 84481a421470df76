import FoundationEssentials
import WebImageCore

/// Loads pictures from `file:` URLs, off the caller's thread.
public final class FileLoader: ImageLoader {
    private let maximumByteCount: Int
    private let queue = JobQueue(label: "WebImage.files", limit: 4)

    /// A loader of files of up to `maximumByteCount` bytes, 256 MiB by default; larger ones fail with
    /// ``WebImageError/Code/limitExceeded``.
    public init(maximumByteCount: Int = 256 << 20) {
        self.maximumByteCount = maximumByteCount
    }

    /// True for `file:` URLs.
    public func canLoad(_ url: URL) -> Bool { url.hasScheme("file") }

    /// Reads the whole file. Only regular files of this machine are read: a pipe or a device may never end.
    public func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        let url = request.url
        let limit = maximumByteCount
        return JobLoadTask(request, queue: queue, receive: receive) { cancellation throws(WebImageError) in
            let reader = try FileReader.open(FilePath(url))
            // Before the read: a file that is changed meanwhile is another one by then.
            let revision = reader.revision
            let report = { (data: Data, progress: LoadProgress) in
                receive(.progress(progress))
                receive(.data(data))
            }
            let data = try reader.readAll(
                limit: limit, cancellation: cancellation, report: request.reportsData ? report : nil)
            var response = ImageLoadResponse(data: data)
            response.file = revision
            return response
        }
    }
}

/// The bytes of a file's name. Names are bytes on Linux, so that a percent-encoded one need not be UTF-8.
package struct FilePath {
    /// Without zero bytes.
    package let bytes: [UInt8]

    /// - Parameter bytes: Without zero bytes.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    package init(_ url: URL) throws(WebImageError) {
        if let host = url.host(), !host.isEmpty, host.lowercased() != "localhost" {
            throw .invalidAddress("files of another host (\(host.abbreviated(to: 60))) cannot be read; write file:///…")
        }
        guard let bytes = url.absoluteURL.path(percentEncoded: true).withUTF8Bytes(PercentEncoding.decode),
            !bytes.contains(0)
        else {
            throw .invalidAddress("its path is not percent-encoded rightly; write a % itself as %25")
        }
        guard bytes.count > 1 else { throw .invalidAddress("it names no file; write file:///path/to/picture") }
        self.bytes = bytes
    }
}
