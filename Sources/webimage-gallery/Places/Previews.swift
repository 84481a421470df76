import FoundationEssentials
import Synchronization
import WebImage

/// Shows the small picture of a page where the link around it leads to no picture after all.
nonisolated final class Previews: LoadInterceptor {
    private let previews = Mutex<[URL: URL]>([:])

    /// Forgets those of other pictures.
    func set(_ pictures: [FoundPicture]) {
        let found = pictures.compactMap { picture in picture.preview.map { (picture.url, $0) } }
        previews.withLock { $0 = Dictionary(found) { first, _ in first } }
    }

    func intercept(_ request: ImageRequest) -> LoadInterception {
        guard let preview = previews.withLock({ previews in request.url.flatMap { previews[$0] } }) else {
            return .proceed(request)
        }
        return .around { chain throws(WebImageError) in
            do throws(WebImageError) {
                return try await chain.proceed()
            } catch {
                guard !error.isCancelled else { throw error }
                var other = request
                other.url = preview
                return try await chain.proceed(with: other)
            }
        }
    }
}
