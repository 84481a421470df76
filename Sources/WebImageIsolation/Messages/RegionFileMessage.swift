import WebImageCoders
import WebImageCore

/// The properties of a large picture before its pixels are read: see ``RegionImageFile``.
package struct RegionFileMessage: Equatable {
    package var format: ImageFormat
    package var storedSize: PixelSize
    package var orientation: ImageOrientation
    package var colorSpace: ColorSpace
    package var baseSide: Int
    package var rowReduction: Int
    package var decodesWholeRows: Bool
    /// Whether regions need no preparation.
    package var isReady: Bool

    package init(_ file: any RegionImageFile) {
        format = file.format
        storedSize = file.storedSize
        orientation = file.orientation
        colorSpace = file.colorSpace
        baseSide = file.baseSide
        rowReduction = file.rowReduction
        decodesWholeRows = file.decodesWholeRows
        isReady = file.isReady(PixelRegion(file.storedSize), reduction: 1)
    }
}

extension RegionFileMessage: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(format)
        message.write(storedSize)
        message.write(orientation)
        message.write(colorSpace)
        message.write(baseSide)
        message.write(rowReduction)
        message.write(decodesWholeRows)
        message.write(isReady)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        format = try message.read()
        storedSize = try message.read()
        orientation = try message.read()
        colorSpace = try message.read()
        baseSide = try message.read()
        rowReduction = try message.read()
        decodesWholeRows = try message.read()
        isReady = try message.read()
    }
}
