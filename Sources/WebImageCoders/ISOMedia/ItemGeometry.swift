import WebImageCore

/// The combined transformations of an item: a part of the stored pixels, and its orientation.
package struct ItemGeometry: Sendable, Hashable {
    /// The visible part of the stored pixels.
    package private(set) var area: PixelArea
    /// The size of all stored pixels.
    package let storedSize: PixelSize

    private var isMirrored = false
    /// Clockwise, after the mirror.
    private var quarterTurns = 0

    /// - Parameter transformations: In the order in which the file applies them. A crop outside of the picture is
    ///   ignored.
    package init(storedSize: PixelSize, transformations: [ItemTransformation] = []) {
        self.storedSize = storedSize
        area = PixelArea(storedSize)
        for transformation in transformations { apply(transformation) }
    }

    /// The orientation to apply to the part.
    package var orientation: ImageOrientation {
        let plain: [ImageOrientation] = [.up, .right, .down, .left]
        let mirrored: [ImageOrientation] = [.upMirrored, .rightMirrored, .downMirrored, .leftMirrored]
        return (isMirrored ? mirrored : plain)[quarterTurns]
    }

    /// Whether all stored pixels are visible.
    package var isWhole: Bool { area == PixelArea(storedSize) }

    private mutating func apply(_ transformation: ItemTransformation) {
        switch transformation {
        case .crop(let aperture): crop(to: aperture)
        case .rotation(let turns): quarterTurns = (quarterTurns - turns) & 3
        case .mirror(let mirror):
            // A mirror after a rotation equals the mirror before the opposite rotation.
            quarterTurns = ((mirror == .topToBottom ? 2 : 0) - quarterTurns) & 3
            isMirrored.toggle()
        }
    }

    private mutating func crop(to aperture: CleanAperture) {
        var size = orientation.apply(to: area.size)
        guard var part = aperture.area(in: size) else { return }
        for _ in 0..<quarterTurns {
            let columns = part.columns
            part = PixelArea(
                columns: part.rows, rows: size.width - columns.upperBound..<size.width - columns.lowerBound)
            size = size.transposed
        }
        if isMirrored {
            part.columns = size.width - part.columns.upperBound..<size.width - part.columns.lowerBound
        }
        area = PixelArea(
            columns: area.columns.lowerBound + part.columns.lowerBound..<area.columns.lowerBound
                + part.columns.upperBound,
            rows: area.rows.lowerBound + part.rows.lowerBound..<area.rows.lowerBound + part.rows.upperBound)
    }
}
