/// What a file may be, for formats that their bytes do not tell.
public enum ImageFormatHint: Sendable, Hashable {
    /// What the name of the file says.
    case automatic
    /// This format.
    case format(ImageFormat)
    /// Nothing: the bytes decide alone.
    case noHint
}
