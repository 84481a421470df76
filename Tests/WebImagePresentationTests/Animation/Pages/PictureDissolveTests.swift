import Testing
import WebImageCore
import WebImagePresentation

/// Dissolves drawn pixel by pixel, against the mean of the two pictures.
@Suite("Dissolves")
struct PictureDissolveTests {
    private static let view = PixelSize(width: 37, height: 11)

    /// A picture somewhere in the view, with pixels of any alpha.
    private struct Picture {
        let x: Int
        let y: Int
        let size: PixelSize
        let bytes: [UInt8]

        init(x: Int, y: Int, width: Int, height: Int, seed: UInt32) {
            (self.x, self.y, size) = (x, y, PixelSize(width: width, height: height))
            var state = seed
            bytes = (0..<size.area * 4).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(state >> 24)
            }
        }

        func with<Result>(_ body: (PagePicture) -> Result) -> Result {
            bytes.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { preconditionFailure("it has pixels") }
                return body(
                    PagePicture(base, bytesPerRow: size.width * 4, x: x, y: y, size: size, isShaded: false))
            }
        }

        /// 0 beside the picture.
        func channel(_ channel: Int, _ column: Int, _ row: Int) -> Double {
            let (column, row) = (column - x, row - y)
            guard (0..<size.width).contains(column), (0..<size.height).contains(row) else { return 0 }
            return Double(bytes[(row * size.width + column) * 4 + channel])
        }
    }

    private func drawn(_ progress: Double, _ old: PagePicture?, _ new: PagePicture?) -> [UInt8] {
        var bytes = [UInt8](repeating: 77, count: Self.view.area * 4)
        bytes.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            PictureDissolve(progress, from: old, to: new).draw(
                x: 0..<Self.view.width, y: 0..<Self.view.height, into: base, bytesPerRow: Self.view.width * 4)
        }
        return bytes
    }

    private func check(_ bytes: [UInt8], _ progress: Double, _ old: Picture?, _ new: Picture?) {
        for (index, byte) in bytes.enumerated() {
            let (pixel, channel) = (index / 4, index % 4)
            let (column, row) = (pixel % Self.view.width, pixel / Self.view.width)
            let expected =
                (old?.channel(channel, column, row) ?? 0) * (1 - progress)
                + (new?.channel(channel, column, row) ?? 0) * progress
            #expect(abs(Double(byte) - expected) <= 1, "\(column), \(row)")
        }
    }

    @Test("TRN-6 TRN-7 each pixel is the mean of the two pictures", arguments: [0, 1e-9, 0.2, 0.5, 0.77, 1])
    func mean(progress: Double) {
        let whole = Picture(x: 0, y: 0, width: 37, height: 11, seed: 1)
        let part = Picture(x: 5, y: 2, width: 20, height: 6, seed: 2)
        let beside = Picture(x: 27, y: 4, width: 10, height: 7, seed: 3)
        for (old, new) in [(whole, part), (part, whole), (part, beside), (beside, part), (whole, whole)] {
            let bytes = old.with { old in new.with { new in drawn(progress, old, new) } }
            check(bytes, progress, old, new)
        }
    }

    @Test("a dissolve from nothing, or to nothing, is a fade")
    func nothing() {
        let picture = Picture(x: 5, y: 2, width: 20, height: 6, seed: 2)
        check(picture.with { drawn(0.3, nil, $0) }, 0.3, nil, picture)
        check(picture.with { drawn(0.3, $0, nil) }, 0.3, picture, nil)
        #expect(drawn(0.3, nil, nil).allSatisfy { $0 == 0 })
    }

    @Test("a progress beyond the ends is an end; that of the pictures themselves is exact", arguments: [-0.4, 1.3])
    func ends(progress: Double) {
        let (old, new) = (
            Picture(x: 0, y: 0, width: 37, height: 11, seed: 1), Picture(x: 0, y: 0, width: 37, height: 11, seed: 2)
        )
        let bytes = old.with { old in new.with { new in drawn(progress, old, new) } }
        #expect(bytes == (progress < 0 ? old.bytes : new.bytes))
    }
}
