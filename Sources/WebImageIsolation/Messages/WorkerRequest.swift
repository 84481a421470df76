import FoundationEssentials
import WebImageCore

/// Bytes for a worker: few of them in the message, many in a file that comes with it.
package enum SentBytes: Equatable, Sendable {
    case inline(Data)
    case file(offset: Int, byteCount: Int)

    /// The most bytes in a message, so that it fits in one packet.
    package static let maximumInlineByteCount = 32 << 10
}

/// The messages of the app to a worker; one packet each.
package enum WorkerRequest: Equatable, Sendable {
    // Orders that the worker follows without an answer.
    case open(DecoderKind, SentBytes)
    case begin(DecoderKind, ImageDecodeOptions)

    // Questions, each with one answer.
    case properties(isComplete: Bool, ImageDecodeOptions)
    case decode(ImageDecodeOptions, asRows: Bool)
    case animate(ImageDecodeOptions)
    case frame(Int)
    case update(SentBytes)
    case openRegions(ImageLimits, ColorSpace)
    case readRows(reduction: Int)
    case prepareRegions(kept: SentBytes?)
    case decodeRegions([PixelRegion], reduction: Int)

    // Resources that the worker waits for before it answers.
    case buffer(byteCount: Int)
    case noBuffer
    /// The app has taken the rows or the region.
    case goOn

    /// The most buffers that the app lends to one worker.
    package static let maximumBufferCount = 4
    /// The most regions in one request.
    package static let maximumRegionCount = 1024
}

extension SentBytes: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .inline(let data):
            message.write(0 as UInt8)
            message.write(data)
        case .file(let offset, let byteCount):
            message.write(1 as UInt8)
            message.write(offset)
            message.write(byteCount)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.readByte() {
        case 0: self = .inline(try message.read())
        case 1: self = .file(offset: try message.read(), byteCount: try message.read())
        default: throw .unknownValue
        }
    }
}

extension WorkerRequest: MessageValue {
    private enum Tag: UInt8 {
        case open, begin, properties, decode, animate, frame, update, openRegions, readRows, prepareRegions
        case decodeRegions, buffer, noBuffer, goOn
    }

    private var tag: Tag {
        switch self {
        case .open: .open
        case .begin: .begin
        case .properties: .properties
        case .decode: .decode
        case .animate: .animate
        case .frame: .frame
        case .update: .update
        case .openRegions: .openRegions
        case .readRows: .readRows
        case .prepareRegions: .prepareRegions
        case .decodeRegions: .decodeRegions
        case .buffer: .buffer
        case .noBuffer: .noBuffer
        case .goOn: .goOn
        }
    }

    package func write(to message: inout MessageWriter) {
        message.write(tag.rawValue)
        switch self {
        case .open(let kind, let bytes): message.write(kind, bytes)
        case .begin(let kind, let options): message.write(kind, options)
        case .properties(let isComplete, let options): message.write(isComplete, options)
        case .decode(let options, let asRows): message.write(options, asRows)
        case .animate(let options): message.write(options)
        case .frame(let index): message.write(index)
        case .update(let bytes): message.write(bytes)
        case .openRegions(let limits, let colorSpace): message.write(limits, colorSpace)
        case .readRows(let reduction): message.write(reduction)
        case .prepareRegions(let kept): message.write(kept)
        case .decodeRegions(let regions, let reduction): message.write(regions, reduction)
        case .buffer(let byteCount): message.write(byteCount)
        case .noBuffer, .goOn: break
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        guard let tag = Tag(rawValue: try message.readByte()) else { throw .unknownValue }
        switch tag {
        case .open: self = .open(try message.read(), try message.read())
        case .begin: self = .begin(try message.read(), try message.read())
        case .properties: self = .properties(isComplete: try message.read(), try message.read())
        case .decode: self = .decode(try message.read(), asRows: try message.read())
        case .animate: self = .animate(try message.read())
        case .frame: self = .frame(try message.read())
        case .update: self = .update(try message.read())
        case .openRegions: self = .openRegions(try message.read(), try message.read())
        case .readRows: self = .readRows(reduction: try message.read())
        case .prepareRegions: self = .prepareRegions(kept: try message.read())
        case .decodeRegions: self = .decodeRegions(try message.read(), reduction: try message.read())
        case .buffer: self = .buffer(byteCount: try message.read())
        case .noBuffer: self = .noBuffer
        case .goOn: self = .goOn
        }
    }
}

extension MessageWriter {
    mutating func write<First: MessageValue, Second: MessageValue>(_ first: First, _ second: Second) {
        write(first)
        write(second)
    }
}
