import FoundationEssentials
import WebImage

/// Loads pictures from phones and servers that have no path on this machine.
nonisolated enum PlaceLoader {
    /// The loader of all addresses but those of the web, of files and of data.
    static func make() -> ClosureImageLoader {
        ClosureImageLoader(canLoad: canLoad) { request in
            let uri = request.url.absoluteString
            let contents = await PlaceQueue.pictures.run { cancellable throws(SourceProblem) in
                try PlaceFile(uri: uri, cancellable).contents(limit: ImageLimits().maximumByteCount)
            }
            return try contents.mapError {
                WebImageError(.transferFailed, stage: .load, kind: .transient, reason: $0.message)
            }.get()
        }
    }

    static func canLoad(_ url: URL) -> Bool {
        guard let scheme = url.scheme?.lowercased() else { return false }
        return !["http", "https", "file", "data"].contains(scheme)
    }
}
