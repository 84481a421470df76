import FoundationEssentials

extension Photo {
    /// The bytes of the picture's file, as they were loaded; a PNG file of the picture where it has no address.
    ///
    /// - Parameter picture: What a photo without an address shows, which it may have let go of meanwhile.
    package func fileData(of picture: Image? = nil) async throws(WebImageError) -> Data {
        if let url {
            let manager = context.manager ?? .shared
            let key = manager.cacheKey(for: url, context: context)
            if let cache = context.cache as? ImageCache ?? manager.cache as? ImageCache,
                let data = try await cache.data(for: key)
            {
                return data
            }
            // The bytes are wanted, and the least of a picture.
            if let request = request(covering: PixelSize(width: 1, height: 1)),
                let data = try await manager.result(for: request).data
            {
                return data
            }
        }
        guard let picture = picture ?? underlyingImage ?? imageFromMemory else {
            throw WebImageError(.notCached, stage: .store, kind: .permanent, reason: "the photo is not loaded")
        }
        return try picture.data(as: .png)
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
        let decoded = await Task.detached { [options] () -> Result<Image, WebImageError> in
            do throws(WebImageError) { return .success(try Image(data: data, options: options)) } catch {
                return .failure(error)
            }
        }.value
        return try decoded.get()
    }
}

extension String {
    /// Without the ending of a picture; what else follows a dot belongs to the name.
    fileprivate var withoutPictureEnding: String {
        guard let dot = lastIndex(of: "."), dot != startIndex else { return self }
        return ImageFormat(fileExtension: String(self[index(after: dot)...])) == nil ? self : String(self[..<dot])
    }
}
