import WebImageCore

extension ImageLimits: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(maximumPixelCount)
        message.write(maximumSourcePixelCount)
        message.write(maximumByteCount)
        message.write(maximumFrameCount)
        message.write(maximumScanCount)
        message.write(maximumDecodeDuration)
        message.write(maximumDecodeMemory)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init()
        maximumPixelCount = try message.read()
        maximumSourcePixelCount = try message.read()
        maximumByteCount = try message.read()
        maximumFrameCount = try message.read()
        maximumScanCount = try message.read()
        maximumDecodeDuration = try message.read()
        maximumDecodeMemory = try message.read()
    }
}
