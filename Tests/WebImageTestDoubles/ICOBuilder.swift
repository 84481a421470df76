import FoundationEssentials

/// Builds icon files, valid or invalid.
struct ICOBuilder {
    /// 1 for icons, 2 for cursors.
    var type = 1
    /// The pictures' bytes.
    var pictures: [[UInt8]] = []
    /// The number of pictures in the directory, if different.
    var declaredCount: Int?

    var data: Data {
        var file = [0, 0] + BMPBuilder.littleEndian(type, bytes: 2)
        file += BMPBuilder.littleEndian(declaredCount ?? pictures.count, bytes: 2)
        var start = file.count + pictures.count * 16
        for picture in pictures {
            // Size and depth, which readers ignore.
            file += [0, 0, 0, 0, 0, 0, 0, 0]
            file += BMPBuilder.littleEndian(picture.count, bytes: 4) + BMPBuilder.littleEndian(start, bytes: 4)
            start += picture.count
        }
        return Data(file + pictures.flatMap(\.self))
    }

    /// Adds a square bitmap of one colour, blue, green, red and a fourth byte, with a mask row for each row.
    mutating func append(side: Int, color: [UInt8], mask: UInt32 = 0) {
        var bitmap = BMPBuilder(width: side, height: side * 2, bitsPerPixel: color.count * 8)
        let row = (0..<side).flatMap { _ in color }
        let filled = row + [UInt8](repeating: 0, count: -row.count & 3)
        bitmap.pixels = (0..<side).flatMap { _ in filled }
        // A mask has its first pixel in the highest bit.
        let masks = (0..<side).flatMap { _ in Array(BMPBuilder.littleEndian(Int(mask), bytes: 4).reversed()) }
        pictures.append(bitmap.information + bitmap.pixels + masks)
    }

    /// Red of 8, green of 16, blue of 24 pixels, and a deeper blue of 24.
    static var several: ICOBuilder {
        var file = ICOBuilder()
        file.append(side: 8, color: [0, 0, 255])
        file.append(side: 16, color: [0, 255, 0])
        file.append(side: 24, color: [255, 0, 0])
        file.append(side: 24, color: [200, 0, 0, 255])
        return file
    }
}
