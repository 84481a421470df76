import FoundationEssentials
import WebImageCache
import WebImageCore

extension Image {
    /// A picture of a folder by its name, such as one of an app's resources:
    ///
    /// ```swift
    /// let icon = try Image(named: "spinner", in: Bundle.main.bundleURL, preferredScale: 2)
    /// ```
    /// A name with `@2x` or another scale at its end is that of one file. Of all others, the file with the best scale is
    /// taken: `spinner.png`, `spinner@2x.png` and `spinner@3x.png` for 1, 2 and more pixels a point, or the next one
    /// there is. Without an extension, `png` comes first, and then those of the other formats that are read.
    ///
    /// The decoded picture is kept in a cache of its own, until memory is short. It is not read again, even when its file
    /// changes. May take long for a picture that is not cached; not for the main thread then.
    ///
    /// - Parameters:
    ///   - name: With or without an extension; may begin with folders below `directory`.
    ///   - preferredScale: Pixels per point of the screen.
    /// - Throws: ``WebImageError/Code/fileNotFound`` when the folder has no such picture, and as
    ///   ``init(contentsOf:coder:options:)``.
    public convenience init(
        named name: String, in directory: URL, preferredScale: Double = 1
    ) throws(WebImageError) {
        let images = NamedImages.shared
        let key = CacheKey("\(directory.absoluteString)\n\(name)\n\(NamedImage.scales(for: preferredScale))")
        self.init(
            copying: try images.image(for: key) { () throws(WebImageError) in
                for file in NamedImage(name).fileNames(preferredScale: preferredScale) {
                    let file = directory.appending(path: file)
                    do throws(WebImageError) {
                        return try Image(contentsOf: file)
                    } catch {
                        guard error.code == .fileNotFound else { throw error }
                    }
                }
                throw NamedImage.notFound(name, in: directory.abbreviated)
            })
    }
}

/// The pictures that were found by name.
package struct NamedImages: Sendable {
    /// Those of the process.
    package static let shared = NamedImages(MemoryCache(costLimit: 64 << 20))

    /// Releases pictures under memory pressure, and the least used ones above its limit.
    let cache: MemoryCache

    init(_ cache: MemoryCache) { self.cache = cache }

    /// The cached picture, or a new one.
    package func image(
        for key: CacheKey, _ make: () throws(WebImageError) -> Image
    ) throws(WebImageError) -> Image {
        if let image = cache.image(for: key) { return image }
        let image = try make()
        cache.store(image, for: key, cost: image.memoryCost)
        return image
    }
}
