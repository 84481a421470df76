import WebImageCore
import WebImagePixels

extension TransitionFrame {
    /// The pixels of a layer with a ``TransitionLayer/Content/page(_:)``: the whole view with the page that moves in it, and
    /// with the content behind that, over nothing. Any thread.
    ///
    /// - Returns: A bitmap of the view's size in device pixels.
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    public func bitmap(of page: MovingPage) throws(WebImageError) -> Bitmap {
        let front = try plane(of: page.content, isTransposed: page.needsTransposed)
        let ground = try page.background.flatMap { content throws(WebImageError) in try plane(of: content) }
        let size = PixelSize(width: pixels(scene.size.width), height: pixels(scene.size.height))
        return try Bitmap(size: size) { rows, bytesPerRow in
            let renderer = PageRenderer(page, scale: scene.scale, front: front?.picture, ground: ground?.picture)
            withExtendedLifetime((front, ground)) {
                renderer.draw(x: 0..<size.width, y: 0..<size.height, into: rows, bytesPerRow: bytesPerRow)
            }
            return false
        }
    }

    /// A content at rest; nil for none.
    private func plane(
        of content: TransitionLayer.Content, isTransposed: Bool = false
    ) throws(WebImageError) -> PagePlane? {
        guard let shown = content == .new ? new : old, let frame = shown.frame, !frame.size.isEmpty else { return nil }
        let size = PixelSize(width: pixels(frame.size.width), height: pixels(frame.size.height))
        return PagePlane(
            try shown.bitmap.converted(to: .rgba8Premultiplied).resized(to: size),
            x: Int((frame.x * scene.scale).rounded()), y: Int((frame.y * scene.scale).rounded()),
            isTransposed: isTransposed)
    }

    private func pixels(_ length: Double) -> Int { max(1, Int((min(length, 1e6) * scene.scale).rounded(.up))) }
}

/// The pixels of a content for a ``PageRenderer``, which reads them in place.
private final class PagePlane {
    let picture: PagePicture
    private let memory: UnsafeMutablePointer<UInt8>

    init(_ bitmap: Bitmap, x: Int, y: Int, isTransposed: Bool) {
        let size = bitmap.size
        memory = .allocate(capacity: size.area * 4)
        let target = memory
        bitmap.withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            if isTransposed {
                PagePicture.transpose(source, bytesPerRow: bitmap.bytesPerRow, size: size, into: target)
            } else {
                // Rows of four bytes per pixel have no padding.
                target.update(from: source, count: size.area * 4)
            }
        }
        picture = PagePicture(
            memory, bytesPerRow: (isTransposed ? size.height : size.width) * 4, x: x, y: y, size: size,
            isShaded: bitmap.isOpaque, isTransposed: isTransposed)
    }

    deinit { memory.deallocate() }
}
