import FoundationEssentials
import WebImage

/// Finds the pictures in sources.
nonisolated struct SourceReader {
    /// Loads lists and pages from the web.
    let loader: any ImageLoader

    init(loader: any ImageLoader = ImageLoadersManager.shared) { self.loader = loader }

    /// Reads all sources, in their order; each picture once.
    func read(_ sources: [PictureSource]) async -> FoundPictures {
        var found = FoundPictures()
        for source in sources { found.append(await read(source)) }
        return found.unique
    }

    private func read(_ source: PictureSource) async -> FoundPictures {
        switch source {
        case .inline(let url): return FoundPictures(pictures: [FoundPicture(url: url, name: "data")])
        case .web(let url) where ImageFormat.isPicture(named: url.path(percentEncoded: false)):
            return FoundPictures(pictures: [FoundPicture(url: url)])
        case .web(let url): return await read(web: url)
        case .place(let uri):
            let title = source.title
            return await PlaceQueue.run {
                do throws(SourceProblem) {
                    return try Self.read(place: uri, title)
                } catch {
                    return FoundPictures(complaints: ["\(title): \(error.message)"])
                }
            }
        }
    }

    private func read(web url: URL) async -> FoundPictures {
        let result = await withCheckedContinuation { continuation in
            _ = loader.load(ImageLoadRequest(url: url)) { event in
                if case .finished(let result) = event { continuation.resume(returning: result) }
            }
        }
        switch result {
        case .success(let response): return SourceDocument.pictures(in: response.data, at: url)
        case .failure(let error): return FoundPictures(complaints: ["\(error)"])
        }
    }

    /// Blocks.
    private static func read(place uri: String, _ title: String) throws(SourceProblem) -> FoundPictures {
        let file = PlaceFile(uri: uri)
        let facts = try file.facts()
        if facts.isFolder {
            let pictures = try file.pictures()
            return FoundPictures(
                pictures: pictures,
                complaints: pictures.isEmpty ? ["\(title): there are no pictures in this folder"] : [])
        }
        guard let picture = facts.picture else { throw SourceProblem(message: "this is not a valid address") }
        if ImageFormat.isPicture(named: facts.name) { return FoundPictures(pictures: [picture]) }
        guard facts.byteCount <= SourceDocument.byteLimit else {
            throw SourceProblem(message: "this is neither a picture nor a list of addresses")
        }
        var found = SourceDocument.pictures(in: try file.contents(), at: picture.url)
        // A picture whose name does not say so.
        if found.pictures.first?.url == picture.url { found.pictures = [picture] }
        return found
    }
}
