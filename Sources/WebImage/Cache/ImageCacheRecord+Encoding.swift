import FoundationEssentials

extension ImageCacheRecord {
    /// Bytes that need no encoder; nil where there are none.
    var knownData: Data? { data ?? image?.animation?.animatedImageData }

    /// Puts the picture into memory, where it is to go there.
    func storeImage(in cache: some ImageCaching) {
        guard cacheType.contains(.memory), let image else { return }
        cache.storeInMemory(image, for: key, expiresAt: expiresAt)
    }

    var isForDisk: Bool { cacheType.contains(.disk) && (image != nil || data != nil) }

    /// The file for the disk.
    func entry(of data: Data) -> DiskCacheEntry {
        DiskCacheEntry(data: data, extendedData: image?.metadata.extendedData, expiresAt: expiresAt)
    }

    /// The file for the disk, encoded where need be; nil for a record that has nothing. Takes its time.
    func makeEntry() throws(WebImageError) -> DiskCacheEntry? {
        if let data = knownData { return entry(of: data) }
        guard let image else { return nil }
        let coder = context.imageCoder ?? ImageCodersManager.shared
        var entry = entry(
            of: try coder.encodeForCache(image, options: context.imageEncodeOptions ?? ImageEncodeOptions()))
        entry.originalPixelSize = image.metadata.wholePixelSize
        return entry
    }

    /// Calls back where the context says.
    func end(_ result: Result<Void, WebImageError>, _ completion: Completion?) {
        guard let completion else { return }
        (context.callbackQueue ?? .main).run { completion(result) }
    }
}

extension ImageCoder {
    /// The format of a picture's file in a cache: the one it came in, where that can be written and keeps what it has;
    /// otherwise GIF for frames, PNG for transparency and for what came without loss, and JPEG.
    func cacheFormat(for image: Image) -> ImageFormat {
        let format = image.metadata.format
        if image.isAnimated {
            // Encoders of the other formats write one frame.
            return [.gif, .png, .webP].contains(format) && canEncode(format) ? format : .gif
        }
        // Made smaller, a GIF's picture has more than 256 colours, and alpha between nothing and all; BMP only takes space.
        if [.gif, .bmp].contains(format), canEncode(.png) { return .png }
        if format != .undefined, canEncode(format), image.bitmap.isOpaque || format != .jpeg { return format }
        return image.bitmap.isOpaque ? .jpeg : .png
    }

    /// The bytes of a picture's file in a cache.
    ///
    /// - Throws: ``WebImageError/Code/encodeFailed``, also for an animation whose frames are not there or that no coder
    ///   writes: a file of its first one would pass for the whole.
    func encodeForCache(_ image: Image, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        let format = cacheFormat(for: image)
        guard !image.isAnimated || (image.animation != nil && canEncode(format)) else {
            throw .framesNotEncoded(image)
        }
        return try encode(image, to: format, options: options)
    }
}

extension WebImageError {
    fileprivate static func framesNotEncoded(_ image: Image) -> WebImageError {
        WebImageError(
            .encodeFailed, stage: .encode, kind: .policy,
            reason: "the animation has \(image.metadata.frameCount) frames, which are not there or no coder writes; "
                + "store it together with its file")
    }
}
