import FoundationEssentials

/// What the blocks of a GIF file say; pixels are not decoded yet.
struct GIFContents: Sendable {
    /// The logical screen that all frames are drawn on.
    var screenSize: PixelSize
    /// The colours of frames that bring none of their own.
    var globalColorTable: GIFColorTable?
    /// In the order of the file.
    var frames: [GIFFrame] = []
    /// How often the animation plays in all, 0 for ever: the Netscape block's number as players take it; nil without
    /// the block.
    var declaredLoopCount: Int?
}

/// One frame: where it lies on the screen, how it is drawn, and its compressed pixels.
struct GIFFrame: Sendable {
    /// What becomes of the frame's area before the next frame is drawn (GIF89a §23).
    enum Disposal: Int, Sendable {
        case unspecified, keep, restoreBackground, restorePrevious
    }

    var left: Int
    var top: Int
    var size: PixelSize
    var isInterlaced: Bool
    var localColorTable: GIFColorTable?
    var control: GIFFrameControl
    /// Bits of the first LZW codes, less one.
    var minimumCodeSize: Int
    /// The data sub-blocks, each a length byte and so many bytes, without the terminator.
    var blocks = Data()
}

/// The graphic control extension that precedes a frame (GIF89a §23).
struct GIFFrameControl: Sendable {
    var disposal = GIFFrame.Disposal.unspecified
    /// Milliseconds, a multiple of 10.
    var duration = 0
    var transparentIndex: UInt8?
}

/// Up to 256 colours.
struct GIFColorTable: Sendable {
    /// Red, green, blue and 255 in memory order; always 256, black past the end of the file's table.
    let colors: [UInt32]

    /// - Parameter bytes: Three bytes a colour.
    init(_ bytes: some Collection<UInt8>) {
        var colors = [UInt32](repeating: Self.pack(0, 0, 0), count: 256)
        var bytes = bytes.makeIterator()
        for index in colors.indices {
            guard let red = bytes.next(), let green = bytes.next(), let blue = bytes.next() else { break }
            colors[index] = Self.pack(red, green, blue)
        }
        self.colors = colors
    }

    /// For files without any table: index 0 black, 1 white, and grey between, which is what other decoders show.
    static let fallback = GIFColorTable((0...255).lazy.flatMap { [UInt8](repeating: $0, count: 3) })

    private static func pack(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt32 {
        UInt32(littleEndian: UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | 0xFF00_0000)
    }
}

extension GIFContents {
    /// The opaque colours of a frame.
    func colorTable(of frame: GIFFrame) -> GIFColorTable {
        frame.localColorTable ?? globalColorTable ?? .fallback
    }

    /// Whether the first frame leaves any of the screen clear or may have clear pixels in itself.
    var hasAlpha: Bool {
        guard let first = frames.first else { return true }
        return !first.description.covers(screenSize) || frames.contains { $0.control.transparentIndex != nil }
    }

    /// How often the animation plays in all. Without the Netscape block it plays once; a still picture has 0.
    var loopCount: Int { frames.count > 1 ? declaredLoopCount ?? 1 : 0 }

    var properties: ImageProperties {
        ImageProperties(
            format: .gif, pixelSize: screenSize, frameCount: frames.count, loopCount: loopCount,
            frameDurations: frames.count > 1 ? frames.map(\.control.duration) : [], hasAlpha: hasAlpha)
    }
}

extension GIFFrame {
    var description: FrameDescription {
        var description = FrameDescription(size: size)
        description.left = left
        description.top = top
        description.duration = control.duration
        description.isOpaque = control.transparentIndex == nil
        switch control.disposal {
        case .unspecified, .keep: description.disposal = .keep
        case .restoreBackground: description.disposal = .background
        case .restorePrevious: description.disposal = .previous
        }
        return description
    }
}
