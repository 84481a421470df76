extension ImageFormat {
    /// The format whose files are usually called so, in whatever case; nil when there is none.
    init?(fileExtension: String?) {
        guard let name = fileExtension?.lowercased() else { return nil }
        switch name {
        case "jpeg", "jpe", "jfif": self = .jpeg
        case "apng": self = .png
        case "tif": self = .tiff
        case "cur": self = .ico
        default:
            guard let format = Self.known.first(where: { $0.fileExtension == name }) else { return nil }
            self = format
        }
    }
}
