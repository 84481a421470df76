import WebImageCore

/// The place of a bitmap's pixels, their rows without gaps.
package enum PixelPlace: Equatable {
    /// In the message itself: those of a small picture.
    case inline([UInt8])
    /// In one of the buffers that the app has lent, in the order in which it lent them.
    case buffer(index: Int, offset: Int)

    /// The most bytes in a message, so that it fits in one packet.
    package static let maximumInlineByteCount = 32 << 10
}

/// A bitmap, and where its pixels are.
package struct BitmapMessage: Equatable {
    package var size: PixelSize
    package var format: PixelFormat
    package var colorSpace: ColorSpace
    package var isOpaque: Bool
    package var pixels: PixelPlace

    package init(_ bitmap: Bitmap, pixels: PixelPlace) {
        size = bitmap.size
        format = bitmap.format
        colorSpace = bitmap.colorSpace
        isOpaque = bitmap.isOpaque
        self.pixels = pixels
    }
}

/// The frames of an animation without their pixels.
package struct AnimationMessage: Equatable {
    package var loopCount: Int
    /// That of each frame as it is played.
    package var durations: [Duration]
    /// Whether the animation keeps its file, for storing the picture.
    package var keepsFile: Bool

    package init(_ animation: any AnimatedImageProvider) {
        loopCount = animation.loopCount
        durations = (0..<animation.frameCount).map { animation.duration(at: $0) }
        keepsFile = animation.animatedImageData != nil
    }
}

/// The result of a decode.
package struct ImageMessage: Equatable {
    package var bitmap: BitmapMessage
    package var metadata: ImageMetadata
    package var animation: AnimationMessage?

    package init(_ image: Image, pixels: PixelPlace) {
        bitmap = BitmapMessage(image.bitmap, pixels: pixels)
        metadata = image.metadata
        animation = image.animation.map(AnimationMessage.init)
    }
}

/// Rows of a picture in a buffer, one behind the other from its start on.
package struct RowsMessage: Equatable {
    package var count: Int
    package var bytesPerRow: Int
    package var buffer: Int

    package init(count: Int, bytesPerRow: Int, buffer: Int) {
        self.count = count
        self.bytesPerRow = bytesPerRow
        self.buffer = buffer
    }
}

extension PixelPlace: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .inline(let bytes):
            message.write(0 as UInt8)
            message.writeBytes(bytes)
        case .buffer(let index, let offset):
            message.write(1 as UInt8)
            message.write(index)
            message.write(offset)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.readByte() {
        case 0: self = .inline(Array(try message.readBytes(maximumCount: Self.maximumInlineByteCount)))
        case 1: self = .buffer(index: try message.read(), offset: try message.read())
        default: throw .unknownValue
        }
    }
}

extension BitmapMessage: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(size)
        message.write(format)
        message.write(colorSpace)
        message.write(isOpaque)
        message.write(pixels)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        size = try message.read()
        format = try message.read()
        colorSpace = try message.read()
        isOpaque = try message.read()
        pixels = try message.read()
    }
}

extension AnimationMessage: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(loopCount)
        message.write(durations)
        message.write(keepsFile)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        loopCount = try message.read()
        durations = try message.read()
        keepsFile = try message.read()
    }
}

extension ImageMessage: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(bitmap)
        message.write(metadata)
        message.write(animation)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        bitmap = try message.read()
        metadata = try message.read()
        animation = try message.read()
    }
}

extension RowsMessage: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(count)
        message.write(bytesPerRow)
        message.write(buffer)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        count = try message.read()
        bytesPerRow = try message.read()
        buffer = try message.read()
    }
}
