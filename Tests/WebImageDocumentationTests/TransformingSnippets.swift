// The code of Docs/Transforming.md and of the comments of transformers, compiled. A test compares the two, so neither
// changes alone.

import WebImage

private func avatar(_ image: Image) -> Image? {
    let avatar = image.cropped(toAspectRatio: 1)?.resized(to: PointSize(width: 64, height: 64), scaleMode: .fill)
    return avatar
}

private func pipeline() -> WebImageContext {
    var context = WebImageContext()
    context.transformer = .pipeline([
        .resize(width: 300, height: 200), .filter(.saturation(1.2), .contrast(1.1)), .roundedCorners(radius: 12),
    ])
    return context
}

private func closures() -> WebImageContext {
    var context = WebImageContext()
    context.transformer = .custom(identity: "grayscale square") { image in
        image.cropped(toAspectRatio: 1)?.filtered(by: .mono())
    }
    context.transformer = .custom(identity: "square") { image in image.cropped(toAspectRatio: 1) }
    return context
}

private func filters(_ image: Image) -> Image? {
    let warm = image.filtered(by: [.sepia(0.4), .contrast(1.1)])
    return warm
}

private func transformers(_ logo: Image) -> WebImageContext {
    var context = WebImageContext()
    context.transformer = .crop(PointRect(x: 0, y: 0, width: 100, height: 100))
    context.transformer = .crop(aspectRatio: 16 / 9, focus: UnitPoint(x: 0.5, y: 0.3))
    context.transformer = .rotate(by: .pi / 4)
    context.transformer = .blur(radius: 8)
    context.transformer = .filter(.sepia(0.4), .contrast(1.1))
    context.transformer = .tint(.black)
    context.transformer = .overlay(logo, at: .bottomRight, opacity: 0.6)
    context.transformer = .pad(EdgeInsets(all: 8), color: .white)
    context.transformer = .trim(tolerance: 0.05)
    context.transformer = .circle(borderWidth: 2, borderColor: .white)
    context.transformer = ConvolutionKernel(width: 3, height: 1, weights: [-1, 3, -1]).map { .convolve($0) }
    context.transformer = .pipeline([.resize(width: 300, height: 200), .sharpen(amount: 0.3)])
    return context
}
