import FoundationEssentials

extension Photo {
    /// The bytes of the picture's file, as they were loaded; a PNG file of the picture where they are not known.
    package func fileData() async throws(WebImageError) -> Data {
        if let url {
            let manager = context.manager ?? .shared
            let key = manager.cacheKey(for: url, context: context)
            if let cache = context.cache as? ImageCache ?? manager.cache as? ImageCache,
                let data = try await cache.data(for: key)
            {
                return data
            }
            if let request = request(covering: PixelSize(width: 1, height: 1)),
                let data = try await manager.result(for: request).data
            {
                return data
            }
        }
        guard let underlyingImage else {
            throw WebImageError(.notCached, stage: .store, kind: .permanent, reason: "the photo is not loaded")
        }
        return try underlyingImage.data(as: .png)
    }

    /// A name for the file.
    package var fileName: String {
        let format = underlyingImage?.metadata.format
        let given = name ?? url.map(\.lastPathComponent) ?? ""
        let plain = given.replacing("/", with: "_")
        let base = plain.isEmpty || plain == "_" ? "photo" : plain
        guard !base.dropFirst().contains("."), let ending = format?.fileExtension else { return base }
        return "\(base).\(ending)"
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
        let decoded = await Task.detached { [options] () -> Result<Image, WebImageError> in
            do throws(WebImageError) { return .success(try Image(data: data, options: options)) } catch {
                return .failure(error)
            }
        }.value
        return try decoded.get()
    }
}
