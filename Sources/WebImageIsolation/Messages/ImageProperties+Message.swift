import WebImageCore

extension ImageProperties: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(format)
        message.write(pixelSize)
        message.write(orientation)
        message.write(frameCount)
        message.write(loopCount)
        message.write(frameDurations)
        message.write(hasAlpha)
        message.write(bitsPerChannel)
        message.write(iccProfileName)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            format: try message.read(), pixelSize: try message.read(), orientation: try message.read(),
            frameCount: try message.read(), loopCount: try message.read(), frameDurations: try message.read(),
            hasAlpha: try message.read(), bitsPerChannel: try message.read(), iccProfileName: try message.read())
    }
}

/// All but the app's own bytes, which no decoder knows.
extension ImageMetadata: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(format)
        message.write(originalPixelSize)
        message.write(frameCount)
        message.write(loopCount)
        message.write(isThumbnail)
        message.write(isIncremental)
        message.write(isTransformed)
        message.write(isVector)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            format: try message.read(), originalPixelSize: try message.read(), frameCount: try message.read(),
            loopCount: try message.read(), isThumbnail: try message.read())
        isIncremental = try message.read()
        isTransformed = try message.read()
        isVector = try message.read()
    }
}
