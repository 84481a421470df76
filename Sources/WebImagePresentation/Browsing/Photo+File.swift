import FoundationEssentials
import WebImageCore
import WebImageLoading

extension Photo {
    /// The bytes of the picture's file, as they were loaded; a PNG file of the picture where it has no address.
    ///
    /// - Parameter picture: What a photo without an address shows, which it may have let go of meanwhile.
    package func fileData(of picture: Image? = nil) async throws(WebImageError) -> Data {
        guard let url else {
            guard let picture = picture ?? underlyingImage ?? imageFromMemory else { throw .noBytes(of: nil) }
            return try picture.data(as: .png)
        }
        if url.isFileURL { return try await Self.contents(of: url) }
        let manager = context.manager ?? .shared
        let request = ImageRequest(url, options: options, context: context)
        guard let plan = manager.plan(of: request) else { throw .noBytes(of: url) }
        let file = request.ofFile(by: plan)
        // The server may have a newer one, or not answer. Header fields select among several: they need the rules of HTTP.
        var kept = file
        kept.options.insert(.fromCacheOnly)
        if context.httpHeaders.isEmpty, plan.queriesCaches { kept.context.httpCachePolicy = HTTPCachePolicy() }
        if let data = try? await manager.result(for: kept).data { return data }
        guard let data = try await manager.result(for: file).data else { throw .noBytes(of: url) }
        return data
    }

    /// Reads a file on another thread.
    private static func contents(of file: URL) async throws(WebImageError) -> Data {
        try await detached { () throws(WebImageError) in
            do {
                return try Data(contentsOf: file)
            } catch {
                throw WebImageError(
                    .fileFailed, stage: .load, kind: .permanent, reason: "the file cannot be read: \(error)",
                    url: file, underlying: error)
            }
        }
    }

    private static func detached<Value: Sendable>(
        _ body: @escaping @Sendable () throws(WebImageError) -> Value
    ) async throws(WebImageError) -> Value {
        try await Task.detached { Result(catching: body) }.value.get()
    }

    /// A name for the file, which says what its bytes are.
    package var fileName: String {
        let format = url == nil ? .png : underlyingImage?.metadata.format
        let given = name ?? url.map(\.lastPathComponent) ?? ""
        let plain = given.replacing("/", with: "_")
        let base = plain.isEmpty || plain == "_" ? "photo" : plain
        guard let format, let ending = format.fileExtension else { return base }
        let stem = base.withoutPictureEnding
        // The name has this ending already, or another one for the same format.
        if ImageFormat(fileExtension: String(base.dropFirst(stem.count + 1))) == format { return base }
        return "\(stem).\(ending)"
    }
}

extension Photo {
    /// The picture with all pixels of its file, as far as memory allows; decoded on another thread.
    package func fullImage() async throws(WebImageError) -> Image {
        if case .image(let image) = content { return image }
        var options = context.decodeOptions
        options.thumbnailPixelSize = nil
        options.scaleDownLimitBytes = 256 << 20
        let data = try await fileData()
        return try await Self.detached { [options] () throws(WebImageError) in
            try Image(data: data, options: options)
        }
    }
}

extension String {
    /// Without the ending of a picture; what else follows a dot belongs to the name.
    fileprivate var withoutPictureEnding: String {
        guard let dot = lastIndex(of: "."), dot != startIndex else { return self }
        return ImageFormat(fileExtension: String(self[index(after: dot)...])) == nil ? self : String(self[..<dot])
    }
}

extension WebImageError {
    fileprivate static func noBytes(of url: URL?) -> WebImageError {
        WebImageError(.notCached, stage: .store, kind: .permanent, reason: "the photo is not loaded", url: url)
    }
}
