import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// Pictures in other colours than sRGB, with versions of GTK that know them and with those that do not.
final class DisplayColorsTests: GTKTestCase, @unchecked Sendable {
    /// GTK knows colours from 4.16 on.
    private var knowsColours: Bool { gtk_get_minor_version() >= 16 }

    /// Bright light is compressed by tone mapping, and below white it is shown as it is by GTK.
    func testHighDynamicRangeIsGivenToGTKWhereTheApplicationSaysSo() throws {
        try onMainThread {
            initializeGTK()
            // 50 cd/m² and 203 cd/m², the white of usual pictures.
            let (dim, white) = (try Self.gray(28_854), try Self.gray(38_055))
            try assertShown(dim, red: 136)
            XCTAssertLessThan(try shown(white).red, 245)
            DisplayColors.showsHighDynamicRange = true
            defer { DisplayColors.showsHighDynamicRange = false }
            try assertShown(dim, red: 136)
            if knowsColours {
                try assertShown(white, red: 255)
            } else {
                XCTAssertLessThan(try shown(white).red, 245)
            }
        }
    }

    /// GTK and the library agree, and colours outside of sRGB are cut off by both where the window has no others.
    func testAPictureOfWideGamutHasTheSameColoursInSRGB() throws {
        try onMainThread {
            initializeGTK()
            XCTAssertEqual(DisplayColors.takesWideGamut, knowsColours)
            let numbers: [([UInt8], [Int])] = [
                ([200, 100, 100], [215, 93, 97]), ([128, 128, 128], [128, 128, 128]), ([60, 180, 90], [0, 183, 78]),
            ]
            for (wide, expected) in numbers {
                let bitmap = try Bitmap(
                    size: PixelSize(width: 1, height: 1), colorSpace: .displayP3, pixels: wide + [255])
                XCTAssertEqual(bitmap.displayable === bitmap, knowsColours)
                let seen = try shown(Image(bitmap: bitmap))
                for (channel, value) in zip([seen.red, seen.green, seen.blue], expected) {
                    XCTAssertEqual(Int(channel), value, accuracy: 3, "\(wide)")
                }
            }
        }
    }

    func testColoursThatGTKKnowsAreNotConverted() throws {
        try onMainThread {
            initializeGTK()
            let bright = try Self.gray(38_055).bitmap
            XCTAssertNil(ColorSpace.sRGB.gdkColorState)
            XCTAssertNil(ColorSpace.asStored.gdkColorState)
            XCTAssertFalse(bright.displayable === bright)
            DisplayColors.showsHighDynamicRange = true
            defer { DisplayColors.showsHighDynamicRange = false }
            for colours in [ColorSpace.bt2100PQ, .bt2100HLG] {
                XCTAssertEqual(colours.gdkColorState != nil, knowsColours, "\(colours)")
            }
            XCTAssertEqual(bright.displayable === bright, knowsColours)
        }
    }

    private static func gray(_ code: UInt16) throws -> Image {
        let pixel = [code, code, code, .max].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        return Image(
            bitmap: try Bitmap(
                size: PixelSize(width: 1, height: 1), format: .rgba16Straight, colorSpace: .bt2100PQ, pixels: pixel))
    }

    @MainActor
    private func shown(_ image: Image) throws -> Colour {
        let texture = image.makeTexture()
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        return try XCTUnwrap(try Image(texture: texture).colour)
    }

    @MainActor
    private func assertShown(_ image: Image, red: Int, line: UInt = #line) throws {
        XCTAssertEqual(Int(try shown(image).red), red, accuracy: 2, line: line)
    }
}
