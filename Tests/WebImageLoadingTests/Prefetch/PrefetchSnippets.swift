// The code in the documentation of the prefetchers, compiled.

import Foundation
import WebImageCore
import WebImageLoading

func prefetchAhead(_ urls: [URL]) -> PrefetchToken {
    let prefetcher = WebImagePrefetcher.shared
    prefetcher.maxConcurrentPrefetchCount = 2
    return prefetcher.prefetch(
        urls, progress: { print($0, "of", $1) }, completed: { print($0 - $1, "came,", $1, "did not") })
}

func warmUp(_ urls: [URL]) async {
    let prefetcher = WebImagePrefetcher(manager: .shared)
    prefetcher.destination = .disk
    let result = await prefetcher.prefetch(urls)
    print(result.finishedCount - result.skippedCount, "of", result.totalCount, "are on the disk")
}

func showProgress(of token: PrefetchToken) async {
    for await progress in token.updates { print(progress.fractionCompleted) }
}

func prefetchThumbnails(_ urls: [URL], size: PixelSize) async -> PrefetchProgress {
    let requests = urls.map { url in
        var request = ImageRequest(url)
        request.context.thumbnailPixelSize = size
        return request
    }
    return await WebImagePrefetcher.shared.prefetch(requests)
}

@MainActor
final class PictureList {
    private let urls: [URL]
    private let pictures: ListPrefetcher

    init(urls: [URL]) {
        self.urls = urls
        pictures = ListPrefetcher(cellPixelSize: PixelSize(width: 200, height: 200)) { ImageRequest(urls[$0]) }
    }

    func didScroll(to visible: Range<Int>) { pictures.show(visible, itemCount: urls.count) }
}

func callbackQueues(_ queue: DispatchQueue) -> [CallbackQueue] {
    [
        .main, .current, .global, CallbackQueue(queue), CallbackQueue(queue, policy: .dispatch),
        CallbackQueue { callback in queue.asyncAfter(deadline: .now() + 1, execute: callback) },
    ]
}
