import CGtk4
import Glibc
import WebImage

@testable import WebImageGTK

/// The pixels of a paintable, drawn by cairo without a display.
struct Rendering: Equatable {
    let width: Int
    let height: Int
    let bytes: [UInt8]

    /// Retains the handle during the draw, which a bare pointer would not do.
    @MainActor
    init(_ handle: PaintableHandle, width: Int, height: Int) {
        self = withExtendedLifetime(handle) { Rendering(handle.pointer, width: width, height: height) }
    }

    @MainActor
    init(_ paintable: OpaquePointer, width: Int, height: Int) {
        let snapshot: OpaquePointer = gtk_snapshot_new()
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
        // No node: nothing was drawn.
        if let node = gtk_snapshot_free_to_node(snapshot) {
            let context = cairo_create(surface)
            gsk_render_node_draw(node, context)
            cairo_destroy(context)
            gsk_render_node_unref(node)
        }
        cairo_surface_flush(surface)
        let rows = cairo_image_surface_get_data(surface)
        bytes = Array(UnsafeBufferPointer(start: rows, count: width * height * 4))
        cairo_surface_destroy(surface)
        self.width = width
        self.height = height
    }

    /// The premultiplied colour of a pixel. Cairo's ARGB32 is a machine word: blue comes first on little-endian
    /// machines.
    func colour(x: Int, y: Int) -> Colour {
        let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[(y * width + x) * 4 + $1]) << (8 * UInt32($1)) }
        let value = UInt32(littleEndian: word)
        func channel(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
        return Colour(red: channel(16), green: channel(8), blue: channel(0), alpha: channel(24))
    }

    /// The peak signal-to-noise ratio between two drawings of one size, in dB.
    func psnr(_ other: Rendering) -> Double {
        var sum = 0
        for (one, another) in zip(bytes, other.bytes) {
            let difference = Int(one) - Int(another)
            sum += difference * difference
        }
        let mean = Double(sum) / Double(max(1, bytes.count))
        return mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
    }

    /// The mean difference of the channels in that row or column where it is largest.
    func largestLineDifference(from other: Rendering) -> Double {
        var rows = [Int](repeating: 0, count: height)
        var columns = [Int](repeating: 0, count: width)
        for place in bytes.indices where bytes[place] != other.bytes[place] {
            let difference = abs(Int(bytes[place]) - Int(other.bytes[place]))
            rows[place / 4 / width] += difference
            columns[place / 4 % width] += difference
        }
        let row = Double(rows.max() ?? 0) / Double(4 * width)
        return max(row, Double(columns.max() ?? 0) / Double(4 * height))
    }

    /// The drawing as a picture.
    var image: Image {
        get throws {
            let pixels = (0..<height).flatMap { y in (0..<width).flatMap { colour(x: $0, y: y).channels } }
            return Image(bitmap: try Bitmap(size: PixelSize(width: width, height: height), pixels: pixels))
        }
    }
}
