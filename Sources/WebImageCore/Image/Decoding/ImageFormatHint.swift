/// A hint at the format of a file, for formats that their bytes do not tell.
public enum ImageFormatHint: Sendable, Hashable {
    /// The format of the file's name.
    case automatic
    /// This format.
    case format(ImageFormat)
    /// Nothing: the bytes decide alone.
    case noHint
}
