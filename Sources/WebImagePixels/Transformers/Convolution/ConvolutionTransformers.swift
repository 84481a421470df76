import WebImageCore

/// Makes pictures from neighbouring pixels; see ``Image/convolved(with:cancellation:)``.
package struct ImageConvolutionTransformer: LibraryTransformer, Hashable {
    private let kernel: ConvolutionKernel

    /// A transformer with a kernel.
    package init(_ kernel: ConvolutionKernel) { self.kernel = kernel }

    /// `ImageConvolutionTransformer(3x1,0.25,0.5,0.25,0.0)`: the size, the weights and the bias.
    package var transformerKey: String {
        let numbers = (kernel.weights + [kernel.bias]).map(\.description).joined(separator: ",")
        return "ImageConvolutionTransformer(\(kernel.width)x\(kernel.height),\(numbers))"
    }

    package func transform(_ image: Image, for key: CacheKey) -> Image? {
        transform(image, for: key, cancellation: nil)
    }

    /// The picture; nil without memory.
    package func transform(_ image: Image, for key: CacheKey, cancellation: CancellationFlag?) -> Image? {
        image.convolved(with: kernel, cancellation: cancellation)
    }
}

/// Makes edges stronger; see ``Image/sharpened(radius:amount:threshold:cancellation:)``.
package struct ImageSharpeningTransformer: LibraryTransformer, Hashable {
    private let radius: Double
    private let amount: Double
    private let threshold: Double

    /// A transformer with an unsharp mask.
    package init(radius: Double, amount: Double, threshold: Double) {
        (self.radius, self.amount, self.threshold) = (radius, amount, threshold)
    }

    /// `ImageSharpeningTransformer(1.000000,0.500000,0.000000)`.
    package var transformerKey: String {
        "ImageSharpeningTransformer(\([radius, amount, threshold].map(\.fixedPointText).joined(separator: ",")))"
    }

    package func transform(_ image: Image, for key: CacheKey) -> Image? {
        transform(image, for: key, cancellation: nil)
    }

    /// The sharpened picture; nil when a number is NaN.
    package func transform(_ image: Image, for key: CacheKey, cancellation: CancellationFlag?) -> Image? {
        image.sharpened(radius: radius, amount: amount, threshold: threshold, cancellation: cancellation)
    }
}

extension ImageTransformer where Self == BuiltInTransformer {
    /// Makes each pixel from its neighbours by a kernel.
    ///
    /// ```swift
    /// context.transformer = ConvolutionKernel(width: 3, height: 1, weights: [-1, 3, -1]).map { .convolve($0) }
    /// ```
    public static func convolve(_ kernel: ConvolutionKernel) -> BuiltInTransformer {
        BuiltInTransformer(ImageConvolutionTransformer(kernel))
    }

    /// Makes edges stronger by an unsharp mask.
    ///
    /// ```swift
    /// context.transformer = .pipeline([.resize(width: 300, height: 200), .sharpen(amount: 0.3)])
    /// ```
    public static func sharpen(
        radius: Double = 1, amount: Double = 0.5, threshold: Double = 0
    ) -> BuiltInTransformer {
        BuiltInTransformer(ImageSharpeningTransformer(radius: radius, amount: amount, threshold: threshold))
    }
}
