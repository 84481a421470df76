// The code of Docs/Loading.md, compiled. A test compares the two, so neither changes alone.

import Foundation
import FoundationNetworking
import Synchronization
import WebImage

// MARK: - Stand-ins for what an app has

private func show(_ image: Image) {}
private func show(_ message: String, offersRetry: Bool) {}

private struct Store: Sendable {
    func picture(named name: String) async throws -> Data { Data() }
}

private struct Cell {
    var visibleRange: Range<Int> { 0..<10 }
}

// MARK: - The page

private func load(_ url: URL) async throws -> Image {
    let image = try await WebImageManager.shared.image(for: url)
    return image
}

private func loadAgain(_ url: URL) async throws -> Image {
    let image = try await WebImageManager.shared.image(for: url, options: .retryFailed)
    return image
}

func makePreview(of url: URL, at path: String) async throws {
    var context = WebImageContext()
    context.thumbnailPixelSize = PixelSize(width: 300, height: 300)

    for try await event in WebImageManager.shared.events(for: url, context: context) {
        switch event {
        case .progress(let progress):
            print(progress.receivedByteCount, "bytes")
        case .finished(let result):
            print(
                result.image.pixelSize, result.cacheType == .noCache ? "from the network" : "from \(result.cacheType)")
            try result.image.write(to: URL(filePath: path), as: .webP)
        case .cached, .preview, .partial:
            break  // only for loads that ask for them: .refreshCached, context.preview, .progressiveLoad
        }
    }
}

private func loadByCallback(_ url: URL) {
    let operation = WebImageManager.shared.load(ImageRequest(url, options: .retryFailed)) { result in
        if case .success(let success) = result { show(success.image) }
    }
    operation.setPriority(.high)
    operation.cancel()  // the callback gets an error with `isCancelled`
}

private func register(_ store: Store) -> ClosureImageLoader {
    let loader = ClosureImageLoader(scheme: "store") { request in
        try await store.picture(named: request.url.lastPathComponent)
    }
    ImageLoadersManager.shared.add(loader)
    return loader
}

private func name(_ loader: ClosureImageLoader) -> WebImageContext {
    var context = WebImageContext()
    context.loader = loader
    return context
}

private enum Loaders {
    struct BundleLoader: ImageLoader {
        let files: [String: Data]

        func canLoad(_ url: URL) -> Bool { url.scheme == "bundle" }

        func load(
            _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
        ) -> any CancellableTask {
            guard let data = files[request.url.lastPathComponent] else {
                let failure = WebImageError(
                    .fileNotFound, stage: .load, kind: .permanent, reason: "the bundle lacks it")
                receive(.finished(.failure(failure)))
                return Ended()
            }
            receive(.progress(LoadProgress(receivedByteCount: data.count, expectedByteCount: data.count)))
            receive(.finished(.success(ImageLoadResponse(data: data))))
            return Ended()
        }

        /// The task of a load that has ended before it could be cancelled.
        private final class Ended: CancellableTask {
            func cancel() {}
        }
    }
}

private func header() -> WebImageContext {
    WebImageDownloader.shared.config.maxConcurrentDownloads = 3
    WebImageDownloader.shared.config.credential = DownloadCredential(user: "ann", password: "secret")

    var context = WebImageContext()
    context.httpHeaders["Authorization"] = "Bearer secret"
    context.timeout = .seconds(5)  // without a byte
    return context
}

private func load(_ url: URL, _ mirror: URL, _ smaller: URL) async throws -> Image {
    var context = WebImageContext()
    context.alternativeURLs = [mirror, smaller]
    let image = try await WebImageManager.shared.image(for: url, context: context)
    return image
}

private func intercept(_ manager: WebImageManager, _ offline: Image) {
    struct OnlyOverTLS: LoadInterceptor {
        func intercept(_ request: ImageRequest) -> LoadInterception {
            guard request.url?.scheme == "http" else { return .proceed(request) }
            let error = WebImageError(
                .unsupportedScheme, stage: .load, kind: .policy, reason: "pictures come over TLS only")
            return .finish(.failure(error))
        }
    }

    struct Mirror: LoadInterceptor {
        func intercept(_ request: ImageRequest) -> LoadInterception {
            .around { chain throws(WebImageError) in
                do throws(WebImageError) { return try await chain.proceed() } catch {
                    guard error.kind == .transient, let url = request.url else { throw error }
                    var second = request
                    second.url = URL(string: "https://mirror.example.org\(url.path())")
                    return try await chain.proceed(with: second)
                }
            }
        }
    }

    manager.interceptors = [OnlyOverTLS(), Mirror(), RetryInterceptor(attempts: 3)]
}

private func smallFirst(_ url: URL, _ thumbnail: String) async throws {
    var context = WebImageContext()
    context.preview = .address(thumbnail)
    for try await event in WebImageManager.shared.events(for: url, context: context) {
        switch event {
        case .preview(let small): show(small.image)
        case .finished(let large): show(large.image)
        case .cached, .progress, .partial: break
        }
    }
}

private func prefetch(_ urls: [URL]) async {
    let token = WebImagePrefetcher.shared.prefetch(urls, completed: nil)
    token.cancel()

    let progress = await WebImagePrefetcher.shared.prefetch(urls)
    print("\(progress.finishedCount) of \(progress.totalCount) are there")

    WebImagePrefetcher.shared.prefetch(urls) { finishedCount, skippedCount in
        print("\(finishedCount - skippedCount) of \(finishedCount) are there")
    }
}

@MainActor
private func prefetchAList(_ urls: [URL], _ list: Cell) {
    let ahead = ListPrefetcher(cellPixelSize: PixelSize(width: 200, height: 200)) { index in
        ImageRequest(urls[index])
    }
    ahead.show(list.visibleRange, itemCount: urls.count)  // whenever it has changed
}

private func cancel(_ url: URL) async {
    let task = Task { try await WebImageManager.shared.image(for: url) }
    task.cancel()  // the load ends, and `image(for:)` throws an error with `isCancelled`
    _ = await task.result
    WebImageManager.shared.cancelAll()
}

private func handle(_ url: URL) async {
    do throws(WebImageError) {
        show(try await WebImageManager.shared.image(for: url))
    } catch {
        switch error.kind {
        case .transient: show("\(error)", offersRetry: true)
        case .permanent, .policy: show("\(error)", offersRetry: false)
        case .cancelled: break
        }
        if error.code == .invalidDownloadStatusCode, error.statusCode == 404 { print("\(url) does not exist") }
    }
}

private func forgive(_ url: URL) {
    WebImageManager.shared.removeFailedURL(url)
}

private func explain(_ url: URL) {
    print(WebImageManager.shared.explain(ImageRequest(url)))
}

private func loadByURLSession() {
    final class SessionOperation: DownloadOperation {
        private let delegate = Delegate()
        private let session: URLSession

        init() { session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil) }

        func start(
            _ request: DownloadRequest, receive: @escaping @Sendable (DownloadOperationEvent) -> Void
        ) -> any CancellableTask {
            var outgoing = URLRequest(url: request.url)
            outgoing.httpMethod = request.method
            outgoing.httpBody = request.body
            for (name, value) in request.headers { outgoing.setValue(value, forHTTPHeaderField: name) }
            let task = session.dataTask(with: outgoing)
            delegate.receivers.withLock { $0[task.taskIdentifier] = receive }
            task.resume()
            return Running(task: task)
        }

        private final class Running: CancellableTask {
            private let task: URLSessionDataTask
            init(task: URLSessionDataTask) { self.task = task }
            func cancel() { task.cancel() }
        }

        private final class Delegate: NSObject, URLSessionDataDelegate {
            let receivers = Mutex<[Int: @Sendable (DownloadOperationEvent) -> Void]>([:])

            private func report(_ event: DownloadOperationEvent, of task: URLSessionTask) {
                let receive = receivers.withLock { $0[task.taskIdentifier] }
                receive?(event)
            }

            func urlSession(
                _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
                completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
            ) {
                if let http = response as? HTTPURLResponse, let url = http.url {
                    let fields = http.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
                    let head = HTTPResponse(
                        url: url, statusCode: http.statusCode, headers: Dictionary(fields) { "\($0), \($1)" })
                    let length = http.expectedContentLength
                    report(.response(head, expectedByteCount: length < 0 ? nil : Int(length)), of: dataTask)
                }
                completionHandler(.allow)
            }

            func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
                report(.data(data), of: dataTask)
            }

            func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
                let failure = error.map {
                    WebImageError(.transferFailed, stage: .load, kind: .transient, reason: "URLSession failed: \($0)")
                }
                report(.finished(failure), of: task)
                receivers.withLock { $0[task.taskIdentifier] = nil }
            }
        }
    }

    WebImageDownloader.shared.downloadOperation = SessionOperation()
}

private func loadFromArchive(_ pictures: [URL: Data]) -> WebImageDownloader {
    struct ArchiveOperation: DownloadOperation {
        let pictures: [URL: Data]

        func start(
            _ request: DownloadRequest, receive: @escaping @Sendable (DownloadOperationEvent) -> Void
        ) -> any CancellableTask {
            let data = pictures[request.url]
            let head = HTTPResponse(url: request.url, statusCode: data == nil ? 404 : 200)
            receive(.response(head, expectedByteCount: data?.count))
            if let data { receive(.data(data)) }
            receive(.finished())
            return Ended()
        }

        /// The task of an exchange that has ended before it could be cancelled.
        private final class Ended: CancellableTask {
            func cancel() {}
        }
    }

    let downloader = WebImageDownloader()
    downloader.downloadOperation = ArchiveOperation(pictures: pictures)
    return downloader
}
