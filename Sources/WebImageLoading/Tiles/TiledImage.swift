import FoundationEssentials
import Synchronization
import WebImageCoders
import WebImageCore

/// A picture of any size, up to a gigapixel, of which only what is visible is decoded.
///
/// ```swift
/// let picture = try await TiledImage.open(URL(filePath: "/photos/milky-way.jpg"))
/// picture.onTile = { _ in view.redraw() }
/// picture.setVisible(PointRect(x: 9000, y: 4000, width: 1920, height: 1080), scale: 1)
/// for tile in picture.plan(for: PointRect(x: 9000, y: 4000, width: 1920, height: 1080), scale: 1) {
///     view.draw(tile.bitmap, in: tile.rect)
/// }
/// ```
/// A view draws ``base`` over the whole picture first, and then the tiles of ``plan(for:scale:)``. All methods may be called
/// on any thread and return at once. Tiles are decoded on threads of their own, and their memory counts in
/// ``MemoryBudget/shared``.
public final class TiledImage: Sendable {
    /// The sides of a tile in pixels; those at the right and the lower edge may be smaller.
    public static let tileSide = TileGrid.defaultSide

    /// The size of the whole picture, its orientation applied.
    public let pixelSize: PixelSize
    /// The format of the file.
    public let format: ImageFormat
    /// The whole picture, reduced: its sides are at most 2,048 pixels, unless one is more than that many times the other.
    public let base: Image
    /// The number of levels of tiles: at level n both sides are halved n times. 0 where the base has all pixels.
    public let levelCount: Int

    let source: TileSource
    let pool: TilePool
    let loader: TileLoader
    private let plan: TilePlan
    private let budget: MemoryBudget
    /// The bytes of the base in the budget.
    private let baseByteCount: Int

    init(_ source: TileSource, base: Bitmap, settings: TileSettings) {
        self.source = source
        plan = TilePlan(grid: source.grid)
        pixelSize = source.grid.pixelSize
        format = source.file.format
        levelCount = source.grid.levelCount
        budget = settings.budget
        baseByteCount = settings.budget.takeFrame(base.byteCount, isNeeded: true) ? base.byteCount : 0
        let metadata = ImageMetadata(
            format: source.file.format, originalPixelSize: source.grid.pixelSize,
            isThumbnail: base.size != source.grid.pixelSize)
        self.base = Image(bitmap: base, metadata: metadata)
        pool = TilePool(
            budget: settings.budget, pressure: settings.pressure, spareByteLimit: settings.spareByteLimit)
        loader = TileLoader(source, pool, queue: settings.queue)
    }

    deinit {
        loader.close()
        budget.giveBackFrame(baseByteCount)
    }

    /// Called on any thread when a tile has come into memory: draw again.
    public var onTile: (@Sendable (TileKey) -> Void)? {
        get { loader.handlers.withLock { $0.tile } }
        set { loader.handlers.withLock { $0.tile = newValue } }
    }

    /// Called on any thread, once, when tiles cannot be decoded, as when the file was cut off since it was opened. What is in
    /// memory stays.
    public var onFailure: (@Sendable (WebImageError) -> Void)? {
        get { loader.handlers.withLock { $0.failure } }
        set { loader.handlers.withLock { $0.failure = newValue } }
    }

    /// Why tiles are missing for good; nil while none has failed.
    public var failure: WebImageError? { loader.failure }

    /// Says what is on the screen: its missing tiles are decoded, from the centre outwards, and then those around them. All
    /// other decodes are cancelled. Call it whenever the view has moved or zoomed.
    ///
    /// - Parameters:
    ///   - rect: The visible part, in pixels of the full size; it may extend beyond the picture, and an empty one wants
    ///     nothing.
    ///   - scale: Device pixels for each pixel of the full size: 1 for full size, 0.1 for a tenth.
    public func setVisible(_ rect: PointRect, scale: Double) {
        let (visible, near) = plan.wanted(for: rect, scale: scale)
        loader.want(visible: visible, near: near)
    }

    /// The tiles in memory for a part of the picture, in the order in which they are drawn over the base. Where the right ones
    /// are missing, others stand for them until they come: coarser ones below, finer ones above.
    ///
    /// - Parameters: As of ``setVisible(_:scale:)``.
    public func plan(for rect: PointRect, scale: Double) -> [PlacedTile] {
        pool.withTiles { tile, keys in plan.placed(for: rect, scale: scale, tile: tile, present: keys) }
    }

    /// The tiles that a part of the picture needs and that are not in memory yet: none where ``plan(for:scale:)`` is complete.
    public func missingTiles(for rect: PointRect, scale: Double) -> [TileKey] {
        let present = pool.keys
        return plan.wanted(for: rect, scale: scale).visible.filter { !present.contains($0) }
    }

    /// Whether the tiles in memory show all of a part of the picture as sharp as it can be, so that the base need not be
    /// drawn below them. Never where the base is sharp enough by itself.
    ///
    /// - Parameters: As of ``setVisible(_:scale:)``.
    public func covers(_ rect: PointRect, scale: Double) -> Bool {
        let present = pool.keys
        let visible = plan.wanted(for: rect, scale: scale).visible
        return !visible.isEmpty && visible.allSatisfy(present.contains)
    }

    /// Ends all decoding and drops all tiles; the base stays. Happens by itself with the last reference.
    public func close() { loader.close() }
}

/// The memory and the queues for tiles; tests have their own.
package struct TileSettings: Sendable {
    var budget = MemoryBudget.shared
    var pressure: MemoryPressure? = MemoryPressure.shared
    var queue = TileLoader.sharedQueue
    var spareByteLimit = TilePool.defaultSpareByteLimit
}
