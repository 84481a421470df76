import Synchronization
import WebImageCore

/// A transformer that the test scripts, with a record of its calls; by default it adds a pixel to each side.
final class ScriptedTransformer: ImageTransformer {
    let transformerKey: String
    let preservesImageMetadata: Bool
    private let make: @Sendable (Image, CancellationFlag?) -> Image?
    private let seen = Mutex<[(size: PixelSize, key: CacheKey)]>([])

    init(
        _ key: String = "Scripted", preservesImageMetadata: Bool = true,
        make: @escaping @Sendable (Image) -> Image? = { $0.grown }
    ) {
        transformerKey = key
        self.preservesImageMetadata = preservesImageMetadata
        self.make = { image, _ in make(image) }
    }

    /// A transformer that may look at its cancellation.
    init(cancellable make: @escaping @Sendable (Image, CancellationFlag?) -> Image?) {
        transformerKey = "Scripted"
        preservesImageMetadata = true
        self.make = make
    }

    /// The number of calls.
    var count: Int { seen.withLock { $0.count } }
    /// The sizes of its input pictures.
    var sizes: [PixelSize] { seen.withLock { $0.map(\.size) } }
    /// The keys of its input pictures.
    var keys: [CacheKey] { seen.withLock { $0.map(\.key) } }

    func transform(_ image: Image, for key: CacheKey) -> Image? { transform(image, for: key, cancellation: nil) }

    func transform(_ image: Image, for key: CacheKey, cancellation: CancellationFlag?) -> Image? {
        seen.withLock { $0.append((image.pixelSize, key)) }
        return make(image, cancellation)
    }
}

extension Image {
    /// A white picture, one pixel wider and higher.
    var grown: Image? { try? .plain(pixelSize.width + 1, pixelSize.height + 1) }
}
