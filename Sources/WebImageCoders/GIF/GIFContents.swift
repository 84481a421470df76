import FoundationEssentials
import WebImageCore

/// The blocks of a GIF file; pixels are not decoded.
struct GIFContents: Sendable {
    /// The logical screen that all frames are drawn on.
    var screenSize: PixelSize
    /// The colours of frames without their own table.
    var globalColorTable: GIFColorTable?
    /// In the order of the file.
    var frames: [GIFFrame] = []
    /// The number of the Netscape block; nil without the block.
    var declaredLoopCount: Int?
}

/// One frame: its place on the screen, its disposal, and its compressed pixels.
struct GIFFrame: Sendable {
    /// The handling of the frame's area before the next frame is drawn (GIF89a §23).
    enum Disposal: Int, Sendable {
        case unspecified, keep, restoreBackground, restorePrevious
    }

    var left: Int
    var top: Int
    var size: PixelSize
    var isInterlaced: Bool
    var localColorTable: GIFColorTable?
    var control: GIFFrameControl
    /// The bits of the first LZW codes, minus one.
    var minimumCodeSize: Int
    /// The data sub-blocks, each a length byte and that number of bytes, without the terminator.
    var blocks = Data()
}

/// The graphic control extension that precedes a frame (GIF89a §23).
struct GIFFrameControl: Sendable {
    var disposal = GIFFrame.Disposal.unspecified
    /// In milliseconds, a multiple of 10.
    var duration = 0
    var transparentIndex: UInt8?
}

/// Up to 256 colours.
struct GIFColorTable: Sendable {
    /// Red, green, blue and 255 in memory order; always 256 entries, black beyond the file's table.
    let colors: [UInt32]

    /// - Parameter bytes: Three bytes per colour.
    init(_ bytes: some Collection<UInt8>) {
        var colors = [UInt32](repeating: Self.pack(0, 0, 0), count: 256)
        var bytes = bytes.makeIterator()
        for index in colors.indices {
            guard let red = bytes.next(), let green = bytes.next(), let blue = bytes.next() else { break }
            colors[index] = Self.pack(red, green, blue)
        }
        self.colors = colors
    }

    /// For files without any table: a grey ramp from black at 0 to white at 255, as in other decoders.
    static let fallback = GIFColorTable((0...255).lazy.flatMap { [UInt8](repeating: $0, count: 3) })

    private static func pack(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt32 {
        UInt32(littleEndian: UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | 0xFF00_0000)
    }
}

extension GIFContents {
    /// The screen with a frame that comes. The first one enlarges a screen on whose corner it lies and does not fit, as in
    /// browsers and Pillow: some programs write the screen of another picture, or none.
    func screenSize(with frame: GIFFrame) -> PixelSize {
        guard frames.isEmpty else { return screenSize }
        if screenSize.isEmpty { return frame.size }
        guard frame.left == 0, frame.top == 0 else { return screenSize }
        return PixelSize(
            width: max(screenSize.width, frame.size.width), height: max(screenSize.height, frame.size.height))
    }

    /// The opaque colours of a frame.
    func colorTable(of frame: GIFFrame) -> GIFColorTable {
        frame.localColorTable ?? globalColorTable ?? .fallback
    }

    /// Whether the first frame does not cover the screen or may have transparent pixels.
    var hasAlpha: Bool {
        guard let first = frames.first else { return true }
        return !first.description.covers(screenSize) || frames.contains { $0.control.transparentIndex != nil }
    }

    /// The total number of plays, 0 for endless. Without the Netscape block an animation plays once; a still picture
    /// has 0.
    ///
    /// - Parameter countsPlays: Whether the block's number is that of all plays. Browsers count the repetitions after
    ///   the first play, and so do the programs that write such files.
    func loopCount(countsPlays: Bool) -> Int {
        guard frames.count > 1 else { return 0 }
        guard let declaredLoopCount else { return 1 }
        return declaredLoopCount == 0 || countsPlays ? declaredLoopCount : declaredLoopCount + 1
    }

    var properties: ImageProperties {
        ImageProperties(
            format: .gif, pixelSize: screenSize, frameCount: frames.count, loopCount: loopCount(countsPlays: false),
            frameDurations: frames.count > 1 ? frames.map { .milliseconds($0.control.duration) } : [],
            hasAlpha: hasAlpha)
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
