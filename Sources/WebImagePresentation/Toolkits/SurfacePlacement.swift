import WebImageCore

/// The size of a view, and how a picture fits into it.
public struct SurfacePlacement: Sendable, Equatable {
    /// Points. Loads wait for a size that is empty, if their pictures are decoded for it. A side of 0 beside one that is not
    /// is that of the picture.
    public var size: PointSize
    /// Device pixels per point.
    public var scaleFactor: Double
    /// How a picture fits into the view.
    public var fit: ContentFit
    /// Whether pictures are decoded for ``size``, and anew when the view has grown, instead of at the size of their files. A
    /// load whose context has a size of its own keeps that.
    public var decodesToSize: Bool

    /// A view of `size` points, by default of a display with one pixel per point, and with whole pictures decoded for it.
    public init(size: PointSize, scaleFactor: Double = 1, fit: ContentFit = .contain, decodesToSize: Bool = true) {
        self.size = size
        self.scaleFactor = scaleFactor
        self.fit = fit
        self.decodesToSize = decodesToSize
    }

    /// The decode size; nil for that of the file, and without a size.
    var box: DecodeBox? { decodesToSize ? DecodeBox(viewSize: size, scaleFactor: scaleFactor, fit: fit) : nil }

    /// Whether loads that take the size of the view wait for it.
    var awaitsSize: Bool { decodesToSize && box == nil }

    /// The place of a picture in the view.
    func frame(of image: Image) -> PointRect {
        (image.fit(usually: nil) ?? fit).frame(of: image.naturalSize ?? image.pointSize, in: size)
    }
}

extension Image {
    fileprivate var pointSize: PointSize {
        PointSize(width: Double(pixelSize.width) / scale, height: Double(pixelSize.height) / scale)
    }
}
