import WebImage

/// Parts of one bitmap as textures, kept from frame to frame: a renderer uploads each of them once.
final class TextureSlices {
    /// No renderer draws a longer side than this everywhere: cairo ends at 32,767 pixels, most graphics cards at 16,384
    /// and some at 8,192.
    static let maximumSide = 8192

    let bitmap: Bitmap
    private var current: [PixelRect: Texture] = [:]
    private var previous: [PixelRect: Texture] = [:]

    init(_ bitmap: Bitmap) { self.bitmap = bitmap }

    /// The texture of a part that lies within the bitmap.
    func texture(of part: PixelRect) -> Texture? {
        if let known = current[part] { return known }
        let texture = previous[part] ?? Texture(partOf: bitmap, x: part.x, y: part.y, size: part.size)
        current[part] = texture
        return texture
    }

    /// A frame begins: what the frame before the last one was made of is let go, so that an effect whose parts are
    /// others in each frame does not fill the memory with them.
    func beginFrame() {
        previous = current
        current.removeAll(keepingCapacity: true)
    }
}
