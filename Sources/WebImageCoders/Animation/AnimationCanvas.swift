import WebImageCore
import WebImagePixels

/// The canvas that frames are drawn on: straight RGBA, transparent at first. Belongs to one thread at a time.
package final class AnimationCanvas {
    package let size: PixelSize
    /// The first pixel; rows lie ``bytesPerRow`` apart.
    package let base: UnsafeMutablePointer<UInt8>
    package var bytesPerRow: Int { size.width * 4 }

    private let pixels: PixelBuffer
    /// The content of an area before a frame whose disposal restores it.
    private var saved: PixelBuffer?

    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory for it.
    init(size: PixelSize) throws(WebImageError) {
        guard let pixels = PixelBuffer(byteCount: size.area * 4) else { throw .outOfMemory(for: size) }
        self.size = size
        self.pixels = pixels
        base = pixels.base
        clear()
    }

    /// An area of the canvas.
    package struct Area: Sendable, Hashable {
        package var columns: Range<Int>
        package var rows: Range<Int>

        package var isEmpty: Bool { columns.isEmpty || rows.isEmpty }
    }

    /// The part of a frame within the canvas.
    package func area(of frame: FrameDescription) -> Area {
        Area(
            columns: Self.clip(frame.left, frame.size.width, to: size.width),
            rows: Self.clip(frame.top, frame.size.height, to: size.height))
    }

    /// The address of a pixel.
    package func pixel(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> { base + y * bytesPerRow + x * 4 }

    func clear() { base.clear(count: size.area * 4) }

    func clear(_ area: Area) {
        for y in area.rows where !area.isEmpty {
            pixel(area.columns.lowerBound, y).clear(count: area.columns.count * 4)
        }
    }

    func save(_ area: Area) throws(WebImageError) {
        // One buffer of the canvas's size fits frames of any size.
        if saved == nil { saved = PixelBuffer(byteCount: size.area * 4) }
        guard let saved else { throw .outOfMemory(for: size) }
        copyRows(of: area) { y, start, count in
            (saved.base + y * bytesPerRow + start).update(from: base + y * bytesPerRow + start, count: count)
        }
    }

    func restore(_ area: Area) {
        guard let saved else { return }
        copyRows(of: area) { y, start, count in
            (base + y * bytesPerRow + start).update(from: saved.base + y * bytesPerRow + start, count: count)
        }
    }

    private func copyRows(of area: Area, _ copy: (_ y: Int, _ start: Int, _ count: Int) -> Void) {
        guard !area.isEmpty else { return }
        for y in area.rows { copy(y, area.columns.lowerBound * 4, area.columns.count * 4) }
    }

    private static func clip(_ start: Int, _ length: Int, to limit: Int) -> Range<Int> {
        let lower = min(max(start, 0), limit)
        return lower..<max(lower, min(start + length, limit))
    }
}
