import WebImageCore

/// The formats that results are sent in.
enum ServedFormat {
    /// Those that a client's `Accept` chooses from, the smallest files first.
    static let offered: [ImageFormat] = [.avif, .jpegXL, .webP]
    /// Those that a source keeps, since browsers show them.
    static let shown: Set<ImageFormat> = [.jpeg, .png, .gif, .webP, .avif, .jpegXL]
    /// Those that are drawn: their results are PNG.
    static let drawn: Set<ImageFormat> = [.svg, .pdf, .ico]
    /// Those with animations.
    static let moving = ImageFormat.all(.moving)
}
