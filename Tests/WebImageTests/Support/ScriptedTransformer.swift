import Synchronization
import WebImage

/// A transformer that does what the test says, and keeps what it was asked; by default it adds a pixel to each side.
final class ScriptedTransformer: ImageTransformer {
    let transformerKey: String
    let preservesImageMetadata: Bool
    private let make: @Sendable (Image) -> Image?
    private let seen = Mutex<[(size: PixelSize, key: CacheKey)]>([])

    init(
        _ key: String = "Scripted", preservesImageMetadata: Bool = true,
        make: @escaping @Sendable (Image) -> Image? = { $0.grown }
    ) {
        transformerKey = key
        self.preservesImageMetadata = preservesImageMetadata
        self.make = make
    }

    /// How often it was asked.
    var count: Int { seen.withLock { $0.count } }
    /// The sizes of the pictures that it was given.
    var sizes: [PixelSize] { seen.withLock { $0.map(\.size) } }
    /// The names that it was given with them.
    var keys: [CacheKey] { seen.withLock { $0.map(\.key) } }

    func transform(_ image: Image, for key: CacheKey) -> Image? {
        seen.withLock { $0.append((image.pixelSize, key)) }
        return make(image)
    }
}

extension Image {
    /// A white picture that is a pixel wider and higher.
    var grown: Image? { try? .plain(pixelSize.width + 1, pixelSize.height + 1) }
}
