import FoundationEssentials

/// What the chunks of a WebP file say (RFC 9649 §2); pixels are not decoded yet.
struct WebPContainer: Sendable {
    /// The canvas of an animation, the picture's own size otherwise.
    var canvasSize: PixelSize
    var hasAlpha: Bool
    var isAnimated = false
    /// 0 is for ever.
    var loopCount = 0
    /// In the order of the file; a still picture is one frame that covers the canvas.
    var frames: [WebPFrame] = []
    var exif: Data?
    var iccProfile: Data?
}

/// One frame: where it lies on the canvas, and where its compressed pixels are in the file.
struct WebPFrame: Sendable {
    var left = 0
    var top = 0
    var size: PixelSize
    /// Milliseconds.
    var duration = 0
    /// Whether the frame is blended with what lies under it, instead of replacing it.
    var isBlended = false
    /// Whether its area becomes transparent before the next frame is drawn.
    var isDisposedToBackground = false
    /// The ALPH, VP8 or VP8L chunks, as libwebp takes them.
    var dataRange: Range<Int>
}
