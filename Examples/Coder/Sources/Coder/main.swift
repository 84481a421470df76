import Foundation
import WebImage

// Decodes a file in each way in which the library reads pictures, by a coder that knows the public API alone. Ends with 1
// where a pixel is not the expected one.

/// The colours of a pixel say where it is.
func pixel(x: Int, y: Int, frame: Int = 0) -> [UInt8] { [UInt8(x / 8), UInt8(y / 8), UInt8(frame * 50), 255] }

/// A file with a few frames.
func file(_ size: PixelSize, frameCount: Int) -> Data {
    var data = Data("ROWS".utf8)
    for number in [size.width, size.height, frameCount] { data += (0..<4).map { UInt8(number >> ($0 * 8) & 255) } }
    for frame in 0..<frameCount {
        for y in 0..<size.height { data += (0..<size.width).flatMap { pixel(x: $0, y: y, frame: frame) } }
    }
    return data
}

/// Compares the pixel in the middle.
func expect(_ bitmap: Bitmap?, _ width: Int, _ height: Int, _ middle: [UInt8], _ name: String) {
    let place = height / 2 * width * 4 + width / 2 * 4
    let found = bitmap?.withUnsafeBytes { $0.count == width * height * 4 ? Array($0[place..<place + 4]) : [] } ?? []
    guard found.count == 4, zip(found, middle).allSatisfy({ abs(Int($0) - Int($1)) <= 2 }) else {
        print("coder: \(name) has \(found) in the middle, not \(middle)")
        exit(1)
    }
    print("coder: \(name)")
}

let size = PixelSize(width: 1200, height: 900)
let folder = FileManager.default.temporaryDirectory.appending(path: "rows-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let (picture, animation) = (folder.appending(path: "picture.rows"), folder.appending(path: "animation.rows"))
try file(size, frameCount: 1).write(to: picture)
try file(PixelSize(width: 64, height: 48), frameCount: 3).write(to: animation)

ImageCodersManager.shared.add(RowsCoder())
let manager = WebImageManager.shared

var context = WebImageContext()
context.thumbnailPixelSize = PixelSize(width: 300, height: 300)
let thumbnail = try await manager.image(for: ImageRequest(picture, context: context))
expect(thumbnail.bitmap, 300, 225, pixel(x: 600, y: 450), "a thumbnail")

context = WebImageContext()
context.transformer = .crop(PointRect(x: 600, y: 300, width: 200, height: 100))
let part = try await manager.image(for: ImageRequest(picture, context: context))
expect(part.bitmap, 200, 100, pixel(x: 700, y: 350), "a crop that the decode begins with")

let frames = try await manager.image(for: animation).animation
expect(try frames?.frame(at: 2), 64, 48, pixel(x: 32, y: 24, frame: 2), "the last frame of an animation")

let tiled = try await TiledImage.open(picture)
expect(tiled.base.bitmap, 300, 225, pixel(x: 600, y: 450), "the base of a huge picture")
let (tiles, news) = AsyncStream.makeStream(of: TileKey.self)
tiled.onTile = { news.yield($0) }
let visible = PointRect(x: 0, y: 0, width: 500, height: 500)
tiled.setVisible(visible, scale: 1)
for await _ in tiles where tiled.missingTiles(for: visible, scale: 1).isEmpty { break }
let tile = tiled.plan(for: visible, scale: 1).last
expect(tile?.bitmap, 512, 512, pixel(x: 256, y: 256), "a tile of it, by its region")
