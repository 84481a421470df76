import FoundationEssentials
import Glibc
import WebImage

/// Measures, in a process of its own, what an operation takes of memory beside its picture and its result.
enum OperationPeak {
    /// - Parameter id: That of an operation.
    static func report(_ id: String, to path: String) throws {
        guard let operation = PictureOperations.all.first(where: { $0.id == id }) else {
            throw BenchmarkError("there is no operation \(id)")
        }
        // The pixels do not matter.
        let size = SamplePhoto.twelveMegapixels.size
        let format: PixelFormat = operation.source == .photo ? .rgba8Premultiplied : .rgba8Straight
        let alpha: UInt8 = operation.source == .photo ? 255 : 128
        var pixels = [UInt8](repeating: 100, count: size.area * 4)
        for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = alpha }
        let picture = try Bitmap(size: size, format: format, pixels: pixels)
        pixels = []
        // Resets the peak (proc(5)).
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        let before = try kilobytes("VmRSS:")
        let result = try operation.ours(picture)
        let peak = try kilobytes("VmHWM:") - before - Double(result.byteCount) / 1024
        try Data(String(max(0, peak)).utf8).write(to: URL(filePath: path))
    }

    private static func kilobytes(_ field: String) throws -> Double {
        let status = String(decoding: try Data(contentsOf: URL(filePath: "/proc/self/status")), as: UTF8.self)
        let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
        guard let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) }) else {
            throw BenchmarkError("/proc/self/status has no \(field)")
        }
        return number
    }
}
