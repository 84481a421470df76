/// What a file may be, for formats that their bytes do not tell.
public enum ImageFormatHint: Sendable, Hashable {
    /// What the name of the file says.
    case automatic
    /// This format.
    case format(ImageFormat)
    /// Nothing: the bytes decide alone.
    case none
}

extension ImageFormatHint {
    /// The same with a format in place of ``automatic``: that of the file name in `key`, or none.
    func resolved(by key: CacheKey) -> ImageFormatHint {
        guard self == .automatic else { return self }
        return key.fileExtension.flatMap(ImageFormat.init(fileExtension:)).map { .format($0) } ?? .none
    }
}
