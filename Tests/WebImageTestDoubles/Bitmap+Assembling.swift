import WebImageCore
import WebImagePixels

/// The way a decoder delivers its pixels.
enum PixelDelivery: CaseIterable { case rows, picture }

extension Bitmap {
    /// Runs `pixels` through the pipeline, as a decoder does.
    static func assembled(
        _ pixels: [UInt8], size: PixelSize, orientation: ImageOrientation = .up, isOpaque: Bool = false,
        layout: PixelSource.Layout = .rgba, profile: ColorProfile? = nil, delivery: PixelDelivery = .rows,
        options: ImageDecodeOptions
    ) throws -> Bitmap {
        let geometry = ThumbnailGeometry(storedSourceSize: size, orientation: orientation, options: options)
        let source = PixelSource(size: size, layout: layout, isOpaque: isOpaque, profile: profile)
        let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        func copyRow(_ y: Int, to row: UnsafeMutablePointer<UInt8>) {
            let rowLength = size.width * 4
            pixels.withUnsafeBufferPointer { pixels in
                guard let base = pixels.baseAddress else { return }
                row.update(from: base + y * rowLength, count: rowLength)
            }
        }
        switch delivery {
        case .picture:
            return try assembler.assemblePicture { base, bytesPerRow in
                for y in 0..<size.height { copyRow(y, to: base + y * bytesPerRow) }
            }
        case .rows:
            return try assembler.assembleRows { rows throws(WebImageError) in
                for y in 0..<size.height { try rows.withNext { copyRow(y, to: $0) } }
            }
        }
    }
}
