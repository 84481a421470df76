import FoundationEssentials
import WebImageCore

/// The messages of a worker to the app.
package enum WorkerReply {
    // On the way to the answer. All but warnings and progress wait for the app.
    case needsBuffer(byteCount: Int)
    case rows(RowsMessage)
    case region(index: Int, BitmapMessage)
    case warning(String)
    /// More regions are ready.
    case progress

    // Answers.
    case properties(ImageProperties?)
    case image(ImageMessage)
    /// There is no more to show than before.
    case noImage
    case animation(AnimationMessage)
    case frame(BitmapMessage)
    /// nil for a file whose parts cannot be decoded by themselves.
    case regions(RegionFileMessage?)
    case prepared(hasRegions: Bool, kept: Data?)
    case done
    case failed(WebImageError)
}

extension WorkerReply: MessageValue {
    private enum Tag: UInt8 {
        case needsBuffer, rows, region, warning, progress, properties, image, noImage, animation, frame, regions
        case prepared, done, failed
    }

    private var tag: Tag {
        switch self {
        case .needsBuffer: .needsBuffer
        case .rows: .rows
        case .region: .region
        case .warning: .warning
        case .progress: .progress
        case .properties: .properties
        case .image: .image
        case .noImage: .noImage
        case .animation: .animation
        case .frame: .frame
        case .regions: .regions
        case .prepared: .prepared
        case .done: .done
        case .failed: .failed
        }
    }

    package func write(to message: inout MessageWriter) {
        message.write(tag.rawValue)
        switch self {
        case .needsBuffer(let byteCount): message.write(byteCount)
        case .rows(let rows): message.write(rows)
        case .region(let index, let bitmap): message.write(index, bitmap)
        case .warning(let text): message.write(text)
        case .properties(let properties): message.write(properties)
        case .image(let image): message.write(image)
        case .animation(let animation): message.write(animation)
        case .frame(let bitmap): message.write(bitmap)
        case .regions(let file): message.write(file)
        case .prepared(let hasRegions, let kept): message.write(hasRegions, kept)
        case .failed(let error): message.write(error)
        case .progress, .noImage, .done: break
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        guard let tag = Tag(rawValue: try message.readByte()) else { throw .unknownValue }
        switch tag {
        case .needsBuffer: self = .needsBuffer(byteCount: try message.read())
        case .rows: self = .rows(try message.read())
        case .region: self = .region(index: try message.read(), try message.read())
        case .warning: self = .warning(try message.read())
        case .progress: self = .progress
        case .properties: self = .properties(try message.read())
        case .image: self = .image(try message.read())
        case .noImage: self = .noImage
        case .animation: self = .animation(try message.read())
        case .frame: self = .frame(try message.read())
        case .regions: self = .regions(try message.read())
        case .prepared: self = .prepared(hasRegions: try message.read(), kept: try message.read())
        case .done: self = .done
        case .failed: self = .failed(try message.read())
        }
    }
}
