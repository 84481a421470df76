import FoundationEssentials
import Synchronization
import WebImageCoders
import WebImageCore

/// Brings the pixels of tiles. The base and coarse tiles come from one reading of reduced rows. Fine tiles come from regions
/// of the file, or where the format has none from one reading of all rows, which are kept in a temporary file. Any thread.
final class TileSource: Sendable {
    /// The source of the tiles below the reduction of the rows.
    private enum Fine {
        /// It is not known yet whether the file has regions.
        case unknown
        case regions
        /// The file has none, and its rows are read when a tile of them is wanted.
        case unread
        case rows(RowSpool)
        case failed(WebImageError)
    }

    /// The source of the other tiles and of the base.
    private enum Coarse {
        /// The base is there already, and the rows are read when a tile of them is wanted.
        case unread
        /// They are being read, or have been.
        case begun
        case failed(WebImageError)
    }

    let grid: TileGrid
    let file: any RegionImageFile
    private let coarse: RowSpool
    private let cancellation: CancellationFlag
    private let fine = Mutex(Fine.unknown)
    private let coarseState = Mutex(Coarse.unread)
    private let didProgress: Mutex<(@Sendable () -> Void)?> = Mutex(nil)

    /// - Parameter cancellation: Ends all reading; raised also when rows cannot be kept.
    init(
        _ file: any RegionImageFile, tileSide: Int = TileGrid.defaultSide,
        cancellation: CancellationFlag = CancellationFlag()
    ) throws(WebImageError) {
        self.file = file
        self.cancellation = cancellation
        grid = TileGrid(
            storedSize: file.storedSize, orientation: file.orientation, rowReduction: file.rowReduction,
            baseSide: file.baseSide, side: tileSide)
        coarse = try RowSpool(
            storedSize: file.storedSize, orientation: file.orientation, colorSpace: file.colorSpace,
            reductions: Self.reductions(from: file.rowReduction, through: grid.baseReduction),
            cancellation: cancellation)
    }

    private static func reductions(from first: Int, through last: Int) -> [Int] {
        (first.trailingZeroBitCount...last.trailingZeroBitCount).map { 1 << $0 }
    }

    /// Calls `report` on any thread whenever more tiles may be ready.
    func setProgress(_ report: (@Sendable () -> Void)?) { didProgress.withLock { $0 = report } }

    /// Ends all reading.
    func close() {
        cancellation.cancel()
        setProgress(nil)
    }

    // MARK: - Reading

    /// Reads the base. Blocks.
    func readBase() throws(WebImageError) -> Bitmap {
        coarseState.withLock { $0 = .begun }
        try read(into: coarse, reducedBy: file.rowReduction)
        let size = file.storedSize.reduced(by: grid.baseReduction)
        return try coarse.bitmap(of: PixelRegion(size), reduction: grid.baseReduction)
    }

    /// Reports now and then that there is more.
    private func read(into spool: RowSpool, reducedBy reduction: Int) throws(WebImageError) {
        let rows = ReportingRows(spool) { [self] in progress() }
        do throws(WebImageError) {
            try file.readRows(reducedBy: reduction, into: rows, cancellation: cancellation)
        } catch {
            throw spool.failure ?? error
        }
        if let failure = spool.failure { throw failure }
        guard spool.isComplete else { throw .truncated(file.format) }
    }

    /// Finds out whether the file has regions, and makes its index. Blocks.
    func prepareRegions(kept: Data?) {
        guard file.rowReduction > 1 else { return }
        do throws(WebImageError) {
            let hasRegions = try file.prepareRegions(kept: kept, cancellation: cancellation) { progress() }
            fine.withLock { $0 = hasRegions ? .regions : .unread }
        } catch {
            fine.withLock { $0 = .failed(error) }
        }
        progress()
    }

    /// Takes over the reading of the rows that a tile needs; nil for nothing to read.
    func takeReading(for key: TileKey) -> (@Sendable () -> Void)? {
        1 << key.level >= file.rowReduction ? takeCoarseReading() : takeFineReading()
    }

    private func takeCoarseReading() -> (@Sendable () -> Void)? {
        let isTaken = coarseState.withLock { state in
            guard case .unread = state else { return false }
            state = .begun
            return true
        }
        guard isTaken else { return nil }
        return { [self] in
            do throws(WebImageError) {
                try read(into: coarse, reducedBy: file.rowReduction)
            } catch {
                coarseState.withLock { $0 = .failed(error) }
            }
            progress()
        }
    }

    private func takeFineReading() -> (@Sendable () -> Void)? {
        let spool: RowSpool? = fine.withLock { fine in
            guard case .unread = fine else { return nil }
            do throws(WebImageError) {
                let spool = try RowSpool(
                    storedSize: file.storedSize, orientation: file.orientation, colorSpace: file.colorSpace,
                    reductions: Self.reductions(from: 1, through: file.rowReduction / 2), cancellation: cancellation)
                fine = .rows(spool)
                return spool
            } catch {
                fine = .failed(error)
                return nil
            }
        }
        guard let spool else { return nil }
        return { [self] in
            do throws(WebImageError) {
                try read(into: spool, reducedBy: 1)
            } catch {
                fine.withLock { $0 = .failed(error) }
            }
            progress()
        }
    }

    private func progress() { didProgress.withLock { $0 }?() }

    // MARK: - Tiles

    /// The state of a tile that is wanted now.
    enum Readiness {
        case ready
        /// It comes with more of a reading that runs.
        case waiting
        /// All rows must be read for it.
        case unread
        case failed(WebImageError)
    }

    func readiness(of key: TileKey) -> Readiness {
        let (region, reduction) = (grid.storedRegion(of: key), 1 << key.level)
        if reduction >= file.rowReduction { return coarseReadiness(of: region, reduction) }
        switch fine.withLock({ $0 }) {
        case .unknown, .regions: return file.isReady(region, reduction: reduction) ? .ready : .waiting
        case .unread: return .unread
        case .rows(let spool): return spool.isReady(region, reduction: reduction) ? .ready : .waiting
        case .failed(let error): return .failed(error)
        }
    }

    private func coarseReadiness(of region: PixelRegion, _ reduction: Int) -> Readiness {
        switch coarseState.withLock({ $0 }) {
        case .unread: .unread
        case .begun: coarse.isReady(region, reduction: reduction) ? .ready : .waiting
        case .failed(let error): .failed(error)
        }
    }

    /// Whether two tiles are decoded at the cost of one.
    func sharesDecode(_ first: TileKey, _ second: TileKey) -> Bool {
        guard file.decodesWholeRows, first.level == second.level, 1 << first.level < file.rowReduction else {
            return false
        }
        guard case .regions = fine.withLock({ $0 }) else { return false }
        return grid.storedRegion(of: first).rows == grid.storedRegion(of: second).rows
    }

    /// Decodes tiles that share the work.
    func decode(
        _ keys: [TileKey], cancellation: CancellationFlag, each: (TileKey, Bitmap) -> Void
    ) throws(WebImageError) {
        guard let level = keys.first?.level else { return }
        let (regions, reduction) = (keys.map { grid.storedRegion(of: $0) }, 1 << level)
        if let spool = spool(for: reduction) {
            for (key, region) in zip(keys, regions) { each(key, try spool.bitmap(of: region, reduction: reduction)) }
        } else {
            try file.decode(regions, reduction: reduction, cancellation: cancellation) { each(keys[$0], $1) }
        }
    }

    private func spool(for reduction: Int) -> RowSpool? {
        if reduction >= file.rowReduction { return coarse }
        if case .rows(let spool) = fine.withLock({ $0 }) { return spool }
        return nil
    }
}

/// Passes rows on, and reports now and then that there are more.
private final class ReportingRows: PixelRowReceiver {
    private let next: any PixelRowReceiver
    private let report: @Sendable () -> Void
    private let count = Atomic(0)

    private static let interval = 256

    init(_ next: any PixelRowReceiver, report: @escaping @Sendable () -> Void) {
        self.next = next
        self.report = report
    }

    func receive(_ row: UnsafeRawBufferPointer) {
        next.receive(row)
        if count.add(1, ordering: .relaxed).newValue.isMultiple(of: Self.interval) { report() }
    }
}
