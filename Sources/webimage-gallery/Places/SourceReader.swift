import FoundationEssentials
import WebImage

/// Finds the pictures in sources.
nonisolated struct SourceReader {
    /// Loads lists and pages from the web.
    let loader: any ImageLoader
    /// Mounts places; without one, they must be mounted.
    let mounter: (any PlaceMounter)?
    /// Reads a place; blocks.
    private let readPlace: @Sendable (String, Cancellable) throws(SourceProblem) -> FoundPictures

    /// Sources that are read at a time: one that does not answer keeps few others waiting.
    private static let readerCount = 4

    init(
        loader: any ImageLoader = ImageLoadersManager.shared, mounter: (any PlaceMounter)? = nil,
        readPlace: @escaping @Sendable (String, Cancellable) throws(SourceProblem) -> FoundPictures = PlaceFile.pictures
    ) {
        self.loader = loader
        self.mounter = mounter
        self.readPlace = readPlace
    }

    /// The pictures so far of a source that is still being read, and the index of that.
    typealias Part = @Sendable (Int, FoundPictures) async -> Void

    /// Reads all sources, in their order; each picture once.
    func read(_ sources: [PictureSource]) async -> FoundPictures { FoundPictures(await read(each: sources)) }

    /// Reads all sources: what each of them has.
    ///
    /// - Parameter part: Called while pages of the web arrive.
    func read(each sources: [PictureSource], part: @escaping Part = { _, _ in }) async -> [FoundPictures] {
        var found = [FoundPictures](repeating: FoundPictures(), count: sources.count)
        await withTaskGroup(of: (Int, FoundPictures).self) { group in
            for (number, source) in sources.enumerated() {
                if number >= Self.readerCount, let (ready, pictures) = await group.next() { found[ready] = pictures }
                group.addTask { (number, await read(source) { await part(number, $0) }) }
            }
            for await (number, pictures) in group { found[number] = pictures }
        }
        return found
    }

    private func read(
        _ source: PictureSource, part: @escaping @Sendable (FoundPictures) async -> Void
    ) async -> FoundPictures {
        switch source {
        case .inline(let url): return FoundPictures(pictures: [FoundPicture(url: url, name: "data")])
        case .web(let url): return await read(web: url, part)
        case .place(let uri):
            do throws(SourceProblem) {
                return try await read(place: uri)
            } catch {
                return FoundPictures(complaints: ["\(source.title): \(error.message)"])
            }
        }
    }

    private func read(web url: URL, _ part: @escaping @Sendable (FoundPictures) async -> Void) async -> FoundPictures {
        let contents = await WebDocument.read(url, by: loader) { data, address in
            await part(SourceDocument.pictures(inPart: data, at: address))
        }
        switch contents {
        case .success(.picture): return FoundPictures(pictures: [FoundPicture(url: url)])
        case .success(.document(let data, let address)): return SourceDocument.pictures(in: data, at: address)
        case .success(.part(let data, let address, let problem)):
            var found = SourceDocument.pictures(inPart: data, at: address)
            found.complaints.append(problem.message)
            return found
        case .failure(let problem): return FoundPictures(complaints: [problem.message])
        }
    }

    /// A place that is not mounted is mounted, and read again.
    private func read(place uri: String) async throws(SourceProblem) -> FoundPictures {
        let read = {
            await PlaceQueue.sources.run { cancellable throws(SourceProblem) in try readPlace(uri, cancellable) }
        }
        let result = await read()
        guard case .failure(let problem) = result, problem.isUnmounted, let mounter else { return try result.get() }
        try await mounter.mount(uri)
        return try await read().get()
    }
}

nonisolated extension PlaceFile {
    /// The same, but nothing of a folder.
    static func picture(at uri: String, _ cancellable: Cancellable) throws(SourceProblem) -> FoundPictures {
        let facts = try PlaceFile(uri: uri, cancellable).facts()
        return facts.isFolder || !facts.isRegular ? FoundPictures() : try pictures(at: uri, cancellable)
    }

    /// The pictures of a folder, of a list or of a page, or the one that the file is. Blocks.
    static func pictures(at uri: String, _ cancellable: Cancellable) throws(SourceProblem) -> FoundPictures {
        let file = PlaceFile(uri: uri, cancellable)
        let facts = try file.facts()
        if facts.isFolder {
            let pictures = try file.pictures()
            guard !pictures.isEmpty else { throw SourceProblem(message: "there are no pictures in this folder") }
            return FoundPictures(pictures: pictures)
        }
        guard facts.isRegular else { throw SourceProblem(message: "this is neither a file nor a folder") }
        guard let picture = facts.picture else { throw SourceProblem(message: "this is not a valid address") }
        if ImageFormat.isPicture(named: facts.name) { return FoundPictures(pictures: [picture], isFile: true) }
        // A picture whose name does not say so.
        if SourceDocument(try file.beginning(WebDocument.headCount)) == .picture {
            return FoundPictures(pictures: [picture], isFile: true)
        }
        guard facts.byteCount ?? 0 <= SourceDocument.byteLimit else {
            throw SourceProblem(message: "this is neither a picture nor a list of addresses")
        }
        return SourceDocument.pictures(in: try file.contents(limit: SourceDocument.byteLimit), at: picture.url)
    }
}
