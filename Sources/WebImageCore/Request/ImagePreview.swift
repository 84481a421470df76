import FoundationEssentials

/// A small picture that stands for a large one until that has come.
///
/// ```swift
/// view.setImage(with: photo, preview: .address(thumbnail))
/// view.setImage(with: photo, preview: .pixelSize(PixelSize(width: 64, height: 64)))
/// ```
/// It is loaded with the options and the context of the large one. It is not loaded where the large one is in memory, from
/// caches only where that is on the disk, and its failure is silent: a load ends as that of the large picture does.
public struct ImagePreview: Sendable, Hashable {
    package enum Source: Sendable, Hashable {
        case url(URL)
        case pixelSize(PixelSize)
    }

    package let source: Source

    /// The picture at another address, such as a thumbnail that the server has.
    public static func url(_ url: URL) -> ImagePreview { ImagePreview(source: .url(url)) }

    /// The same picture, small enough for a box of that many pixels, as with ``ImageDecodeOptions/thumbnailPixelSize``: from
    /// memory where a list has shown it, or from its file, which is decoded sooner in small. The downloader transfers it once
    /// for both.
    public static func pixelSize(_ size: PixelSize) -> ImagePreview { ImagePreview(source: .pixelSize(size)) }
}
