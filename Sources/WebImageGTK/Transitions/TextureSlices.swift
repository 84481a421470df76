import WebImage

/// Parts of one bitmap as textures, kept between frames: a renderer uploads each of them once.
final class TextureSlices {
    /// The side that every renderer can draw: cairo's limit is 32,767 pixels, that of most graphics cards 16,384, that
    /// of some 8,192.
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

    /// A frame begins. Textures unused since the frame before are released, so that an effect with different parts in
    /// each frame does not fill the memory.
    func beginFrame() {
        previous = current
        current.removeAll(keepingCapacity: true)
    }
}
