/// The format of a file, for formats that their bytes do not identify.
public enum ImageFormatHint: Sendable, Hashable {
    /// The format of the file name's extension.
    case automatic
    /// This format.
    case format(ImageFormat)
    /// None: only the bytes decide.
    case none
}

extension ImageFormatHint {
    /// The same with a format instead of ``automatic``: that of the file name in `key`, or none.
    func resolved(by key: CacheKey) -> ImageFormatHint {
        guard self == .automatic else { return self }
        return key.fileExtension.flatMap(ImageFormat.init(fileExtension:)).map { .format($0) } ?? .none
    }
}
