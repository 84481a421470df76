import WebImageCore

/// All but the values for coders of the app's own, which no worker has, and what belongs to one process: the cancellation, the
/// stopwatch, the receiver of rows and the origin.
extension ImageDecodeOptions: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(thumbnailPixelSize)
        message.write(preservesAspectRatio)
        message.write(coversThumbnailBox)
        message.write(scaleFactor)
        message.write(appliesOrientation)
        message.write(convertsToSRGB)
        message.write(pixelFormat)
        message.write(limits)
        message.write(decodesFirstFrameOnly)
        message.write(pageIndex)
        message.write(scaleDownLimitBytes)
        message.write(decodesPreview)
        message.write(decodesToHDR)
        message.write(decodesToWideGamut)
        message.write(countsPlaysOfGIF)
        message.write(progressiveInterval)
        message.write(formatHint)
        message.write(region)
        message.write(showsParts)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init()
        thumbnailPixelSize = try message.read()
        preservesAspectRatio = try message.read()
        coversThumbnailBox = try message.read()
        scaleFactor = try message.read()
        appliesOrientation = try message.read()
        convertsToSRGB = try message.read()
        pixelFormat = try message.read()
        limits = try message.read()
        decodesFirstFrameOnly = try message.read()
        pageIndex = try message.read()
        scaleDownLimitBytes = try message.read()
        decodesPreview = try message.read()
        decodesToHDR = try message.read()
        decodesToWideGamut = try message.read()
        countsPlaysOfGIF = try message.read()
        progressiveInterval = try message.read()
        formatHint = try message.read()
        region = try message.read()
        showsParts = try message.read()
    }
}

extension ImageFormatHint: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .automatic: message.write(0 as UInt8)
        case .noHint: message.write(1 as UInt8)
        case .format(let format):
            message.write(2 as UInt8)
            message.write(format)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.readByte() {
        case 0: self = .automatic
        case 1: self = .noHint
        case 2: self = .format(try message.read())
        default: throw .unknownValue
        }
    }
}

extension DecodeRegion: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .resized(let size, let filter):
            message.write(0 as UInt8)
            message.write(size)
            message.write(filter)
        case .cropped(let columns, let rows):
            message.write(1 as UInt8)
            message.write(columns)
            message.write(rows)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.readByte() {
        case 0: self = .resized(try message.read(), try message.read())
        case 1: self = .cropped(columns: try message.read(), rows: try message.read())
        default: throw .unknownValue
        }
    }
}
