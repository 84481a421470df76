extension ImageFormatHint {
    /// The same with a format instead of ``automatic``: that of the file name in `key`, or none.
    package func resolved(by key: CacheKey) -> ImageFormatHint {
        guard self == .automatic else { return self }
        return key.fileExtension.flatMap(ImageFormat.init(fileExtension:)).map { .format($0) } ?? .noHint
    }
}
