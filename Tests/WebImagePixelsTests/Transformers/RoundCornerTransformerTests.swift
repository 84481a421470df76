import Testing
import WebImageCore
import WebImagePixels
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Round corner transformer")
struct RoundCornerTransformerTests {
    private static let formats: [PixelFormat] = [.rgba8Premultiplied, .rgba8Straight]

    @Test("TRF-1 pixels outside of the arcs are cut off by their exact area", arguments: formats)
    func exactArea(format: PixelFormat) throws {
        for (index, shape) in RoundedReference.shapes.enumerated() {
            let bitmap = try TestPicture.noise(shape.size, format: format, seed: UInt64(index))
            let result = try #require(
                Image(bitmap: bitmap, scale: shape.scale).roundedCorners(
                    radius: shape.radius, corners: shape.corners, borderWidth: shape.borderWidth))
            #expect(result.pixelSize == shape.size)
            let coverage = shape.clip.coverage(in: shape.size)
            for y in 0..<shape.size.height {
                for x in 0..<shape.size.width {
                    let part = coverage[y * shape.size.width + x]
                    let (pixel, source) = (result.bitmap.pixel(x, y), bitmap.pixel(x, y))
                    let expected = source.enumerated().map { channel, value in
                        Double(value) * (channel == 3 || format == .rgba8Premultiplied ? part : part > 0 ? 1 : 0)
                    }
                    let difference = zip(pixel, expected).map { abs(Double($0) - $1) }.max() ?? .infinity
                    // A half for rounding to bytes, plus the error of the reference's slices.
                    try #require(difference <= 0.55, "\(shape) (\(x), \(y)): \(pixel), not \(expected)")
                }
            }
        }
    }

    @Test("TRF-1 the border covers half of its width on each side of its path", arguments: formats)
    func border(format: PixelFormat) throws {
        let color = RGBAColor(red: 20, green: 200, blue: 90, alpha: 160)
        for (index, shape) in RoundedReference.shapes.enumerated() where shape.borderWidth > 0 {
            let bitmap = try TestPicture.noise(shape.size, format: format, seed: UInt64(index))
            let image = Image(bitmap: bitmap, scale: shape.scale)
            let clipped = try #require(
                image.roundedCorners(radius: shape.radius, corners: shape.corners, borderWidth: shape.borderWidth))
            let result = try #require(
                image.roundedCorners(
                    radius: shape.radius, corners: shape.corners, borderWidth: shape.borderWidth, borderColor: color))
            let coverage = shape.strokeCoverage(samples: 24)
            for y in 0..<shape.size.height {
                for x in 0..<shape.size.width {
                    let part = coverage[y * shape.size.width + x]
                    let expected = RoundedReference.over(
                        color, part, clipped.bitmap.pixel(x, y), isPremultiplied: format == .rgba8Premultiplied)
                    // Colours are compared weighted by alpha.
                    let pixel = result.bitmap.pixel(x, y)
                    let weight = format == .rgba8Premultiplied ? 1 : Double(pixel[3]) / 255
                    let difference = zip(pixel, expected).enumerated().map { channel, pair in
                        abs(Double(pair.0) - pair.1) * (channel < 3 ? weight : 1)
                    }
                    let tolerance = part == 0 || part == 1 ? 1.0 : 255 * 2 / 24
                    try #require(
                        difference.allSatisfy { $0 <= tolerance }, "\(shape) (\(x), \(y)): \(pixel), not \(expected)")
                }
            }
        }
    }

    @Test(
        "TRF-1 16 bits a channel and half floats stay, with the pixels of the exact area and of a border",
        arguments: [PictureKind.deep, .deepStraight, .float, .floatStraight])
    func depth(kind: PictureKind) throws {
        let color = RGBAColor(red: 20, green: 200, blue: 90, alpha: 160)
        for shape in RoundedReference.shapes {
            let picture = Image(bitmap: try kind.picture(shape.size), scale: shape.scale)
            let plain = try #require(
                picture.roundedCorners(radius: shape.radius, corners: shape.corners, borderWidth: shape.borderWidth))
            #expect(plain.bitmap.format == picture.bitmap.format)
            var exact = PixelReference(picture.bitmap)
            for (index, part) in shape.clip.coverage(in: shape.size).enumerated() {
                for channel in 0..<4 { exact.channels[index * 4 + channel] *= part }
            }
            // The error of the reference's slices.
            #expect(exact.distance(from: plain.bitmap) <= 0.06 + kind.tolerance, "\(shape)")
            let border = { (image: Image) in
                image.roundedCorners(
                    radius: shape.radius, corners: shape.corners, borderWidth: shape.borderWidth, borderColor: color)
            }
            let shallow = Image(
                bitmap: try picture.bitmap.converted(to: .rgba8Premultiplied), scale: shape.scale)
            let expected = PixelReference(try #require(border(shallow)).bitmap)
            #expect(expected.distance(from: try #require(border(picture)).bitmap) <= 2 + kind.tolerance, "\(shape)")
        }
    }

    @Test("TRF-1 straight edges on whole pixels are sharp, and only the corners change")
    func sharpEdges() throws {
        let size = PixelSize(width: 90, height: 70)
        let bitmap = try TestPicture.noise(size, isOpaque: true)
        let result = try #require(Image(bitmap: bitmap).roundedCorners(radius: 20)).bitmap
        for (x, y) in [(20..<70, 0..<70), (0..<90, 20..<50)] {
            #expect(largestDifference(result.bytes(x: x, y: y), bitmap.bytes(x: x, y: y)) == 0)
        }
        #expect(result.pixel(0, 0) == [0, 0, 0, 0])
        #expect(!result.isOpaque)
    }

    @Test("TRF-1 each corner is rounded by itself")
    func corners() throws {
        let size = PixelSize(width: 40, height: 40)
        let image = Image(bitmap: try TestPicture.plain(size, [9, 9, 9, 255]))
        let places: [(RectCorner, Int, Int)] = [
            (.topLeft, 0, 0), (.topRight, 39, 0), (.bottomLeft, 0, 39), (.bottomRight, 39, 39),
        ]
        for bits in UInt(0)..<16 {
            let corners = RectCorner(rawValue: bits)
            let result = try #require(image.roundedCorners(radius: 15, corners: corners))
            for (corner, x, y) in places {
                #expect(result.bitmap.pixel(x, y)[3] == (corners.contains(corner) ? 0 : 255))
            }
        }
        #expect(RectCorner.allCorners.rawValue == 18_446_744_073_709_551_615)
    }

    @Test("TRF-1 a border of one pixel is a sharp line one pixel from the edge; two pixels are smoothed on both sides")
    func borderPlace() throws {
        let image = Image(bitmap: try TestPicture.plain(PixelSize(width: 60, height: 60), [255, 255, 255, 255]))
        let one = try #require(image.roundedCorners(radius: 10, borderWidth: 1, borderColor: .black)).bitmap
        #expect(
            (0..<4).map { one.pixel($0, 30) } == [
                [0, 0, 0, 0], [0, 0, 0, 255], [255, 255, 255, 255], [255, 255, 255, 255],
            ])
        let two = try #require(image.roundedCorners(radius: 10, borderWidth: 2, borderColor: .black)).bitmap
        #expect(
            (0..<5).map { two.pixel($0, 30) } == [
                [0, 0, 0, 0], [0, 0, 0, 128], [0, 0, 0, 255], [128, 128, 128, 255], [255, 255, 255, 255],
            ])
    }

    @Test("TRF-1 a border is as sharp at double density, where its width is counted in points")
    func borderScale() throws {
        let image = Image(
            bitmap: try TestPicture.plain(PixelSize(width: 60, height: 60), [255, 255, 255, 255]), scale: 2)
        let result = try #require(image.roundedCorners(radius: 5, borderWidth: 1.5, borderColor: .black)).bitmap
        #expect((0..<7).map { result.pixel($0, 30)[3] } == [0, 0, 255, 255, 255, 255, 255])
        #expect((0..<7).map { result.pixel($0, 30)[0] } == [0, 0, 0, 0, 0, 255, 255])
    }

    @Test(
        "TRF-1 the border follows the picture's corner with no gap between them at any density", arguments: [1, 2, 3])
    func noGap(scale: Double) throws {
        let size = PixelSize(width: 120, height: 120)
        let image = Image(bitmap: try TestPicture.plain(size, [255, 255, 255, 255]), scale: scale)
        let result = try #require(
            image.roundedCorners(radius: 20, borderWidth: 1 / scale, borderColor: .black)
        ).bitmap
        // Along the diagonal inwards, there must be no gap between the two.
        let diagonal = (0..<60).map { result.pixel($0, $0)[3] }
        #expect(zip(diagonal, diagonal.dropFirst()).allSatisfy(<=))
    }

    @Test("TRF-1 a border of half the shorter side or more leaves nothing", arguments: [15, 15.5, 20, 1e300])
    func thickBorder(width: Double) throws {
        let image = Image(bitmap: try TestPicture.noise(PixelSize(width: 60, height: 30)), scale: 1)
        let result = try #require(image.roundedCorners(radius: 4, borderWidth: width, borderColor: .black))
        #expect(result.pixelSize == image.pixelSize)
        #expect(result.bitmap.bytes.allSatisfy { $0 == 0 })
    }

    @Test("a huge radius makes a circle of a square")
    func circle() throws {
        let image = Image(bitmap: try TestPicture.plain(PixelSize(width: 101, height: 101), [5, 5, 5, 255]))
        let huge = try #require(image.roundedCorners(radius: .greatestFiniteMagnitude))
        let half = try #require(image.roundedCorners(radius: 50.5))
        #expect(largestDifference(huge.bitmap.bytes, half.bitmap.bytes) == 0)
        let bytes = huge.bitmap.bytes
        let area = stride(from: 3, to: bytes.count, by: 4).reduce(0) { $0 + Int(bytes[$1]) }
        #expect(abs(Double(area) / 255 - .pi * 50.5 * 50.5) < 2)
    }

    @Test("TRF-1 a radius of 0 without a border changes nothing and copies nothing")
    func nothing() throws {
        let image = Image(bitmap: try TestPicture.noise(PixelSize(width: 8, height: 8)))
        for result in [image.roundedCorners(radius: 0), image.roundedCorners(radius: 9, corners: [])] {
            #expect(result?.bitmap === image.bitmap)
            #expect(result !== image)
        }
    }

    @Test("invalid lengths give no picture", arguments: [-1, Double.nan, .infinity, -.infinity])
    func hostileLengths(length: Double) throws {
        let image = Image(bitmap: try TestPicture.noise(PixelSize(width: 8, height: 8)))
        #expect(image.roundedCorners(radius: length) == nil)
        #expect(image.roundedCorners(radius: 2, borderWidth: length, borderColor: .black) == nil)
    }

    @Test("random shapes on the smallest pictures keep the rules of premultiplied pixels")
    func randomShapes() throws {
        var random = SeededGenerator(seed: 99)
        for _ in 0..<2000 {
            let size = PixelSize(
                width: .random(in: 1...12, using: &random), height: .random(in: 1...12, using: &random))
            let bitmap = try TestPicture.noise(size, seed: random.next())
            let color = RGBAColor(red: 255, green: 0, blue: 128, alpha: .random(in: 0...255, using: &random))
            let result = try #require(
                Image(bitmap: bitmap, scale: .random(in: 1...3, using: &random)).roundedCorners(
                    radius: .random(in: 0...9, using: &random),
                    corners: RectCorner(rawValue: .random(in: 0...15, using: &random)),
                    borderWidth: .random(in: 0...4, using: &random), borderColor: color))
            let bytes = result.bitmap.bytes
            #expect(bytes.indices.allSatisfy { bytes[$0] <= bytes[$0 | 3] })
        }
    }
}
