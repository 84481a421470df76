import WebImageCore

/// The frames of a GIF file, drawn on the logical screen. Uncovered areas are transparent: current viewers do not show
/// the background colour.
struct GIFFrameSource: FrameSource {
    private let contents: GIFContents
    let frames: [FrameDescription]

    init(_ contents: GIFContents) {
        self.contents = contents
        frames = contents.frames.map(\.description)
    }

    var canvasSize: PixelSize { contents.screenSize }

    func makeWorkspace() -> GIFFramePixels { GIFFramePixels() }

    func draw(
        _ index: Int, on canvas: AnimationCanvas, leavesNoPart: Bool, with workspace: inout GIFFramePixels,
        options: ImageDecodeOptions
    ) throws(WebImageError) {
        let frame = contents.frames[index]
        // Errors must show before the first pixel is drawn.
        try workspace.decode(frame, colors: contents.colorTable(of: frame), options: options)
        let area = canvas.area(of: frames[index])
        for y in area.rows where !area.isEmpty {
            workspace.draw(screenRow: y, on: canvas.pixel(0, y), width: canvas.size.width)
        }
    }
}
