import FoundationEssentials
import WebImageCore
import WebImagePixels

/// The frames of an animated WebP file, drawn on its canvas. Uncovered areas are transparent: viewers ignore the
/// background colour, which is a hint.
struct WebPFrameSource: FrameSource {
    private let container: WebPContainer
    /// The chunks of each frame's pixels.
    private let payloads: [Data]
    let frames: [FrameDescription]
    let colors: SourceColors?

    /// The frames of a whole file.
    init(_ container: WebPContainer, data: Data) {
        self.init(container, payloads: container.frames.map { data[in: $0.dataRange] })
    }

    init(_ container: WebPContainer, payloads: [Data]) {
        self.container = container
        self.payloads = payloads
        frames = container.frames.map(\.description)
        colors = container.iccProfile.flatMap { ColorProfile(bytes: $0).forPixels(areGray: false) }.map { .profile($0) }
    }

    var canvasSize: PixelSize { container.canvasSize }
    var orientation: ImageOrientation { container.orientation }

    func makeWorkspace() -> FrameScratch { FrameScratch() }

    func draw(
        _ index: Int, on canvas: AnimationCanvas, leavesNoPart: Bool, with workspace: inout FrameScratch,
        options: ImageDecodeOptions
    ) throws(WebImageError) {
        let bitstream = container.frames[index].bitstream
        let decompressor = WebPDecompressor(frame: payloads[index], bitstream: bitstream, size: bitstream.size)
        try workspace.draw(frames[index], on: canvas, leavesNoPart: leavesNoPart) {
            base, bytesPerRow throws(WebImageError) in
            try decompressor.decode(into: base, bytesPerRow: bytesPerRow) { () throws(WebImageError) in
                try options.checkCancellation()
            }
        }
    }
}

extension WebPFrame {
    fileprivate var description: FrameDescription {
        var description = FrameDescription(size: bitstream.size)
        description.left = left
        description.top = top
        description.duration = duration
        description.blend = isBlended ? .over : .source
        description.disposal = isDisposedToBackground ? .background : .keep
        // For lossless pixels the header's alpha flag is only a hint.
        description.isOpaque = !bitstream.hasAlpha && !bitstream.isLossless
        return description
    }
}
