import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImageIsolation

/// The answers about an open file of a large picture.
struct WorkerRegions {
    let message: RegionFileMessage
    private let file: any RegionImageFile
    private let output: WorkerOutput
    /// Raised when the app does not take what was asked for.
    private let cancellation = CancellationFlag()

    init(_ file: any RegionImageFile, _ output: WorkerOutput) {
        self.file = file
        self.output = output
        message = RegionFileMessage(file)
    }

    func answer(
        _ request: WorkerRequest, _ descriptors: [OwnedDescriptor]
    ) throws(WebImageError) -> WorkerReply? {
        switch request {
        case .readRows(let reduction):
            let rows = SentRows(output, cancellation: cancellation)
            try rows.completing { () throws(WebImageError) in
                try file.readRows(reducedBy: reduction, into: rows, cancellation: cancellation)
            }
            return .done
        case .prepareRegions(let kept):
            return try prepare(try kept.map { kept throws(WebImageError) in try WorkerFile(kept, descriptors).data() })
        case .decodeRegions(let regions, let reduction):
            try decode(regions, reduction: reduction)
            return .done
        default: return nil
        }
    }

    private func prepare(_ kept: Data?) throws(WebImageError) -> WorkerReply {
        let hasRegions = try file.prepareRegions(kept: kept, cancellation: cancellation) { output.report() }
        let index = hasRegions ? file.keptIndex : nil
        // One that is too long for a message is made again.
        let isShort = index.map { $0.count < MessageParts.maximumByteCount / 2 } ?? true
        return .prepared(hasRegions: hasRegions, kept: isShort ? index : nil)
    }

    private func decode(_ regions: [PixelRegion], reduction: Int) throws(WebImageError) {
        var failure: WebImageError?
        do throws(WebImageError) {
            try file.decode(regions, reduction: reduction, cancellation: cancellation) { index, bitmap in
                do throws(WebImageError) {
                    try hand(index, bitmap)
                } catch {
                    failure = failure ?? error
                    cancellation.cancel()
                }
            }
        } catch {
            throw failure ?? error
        }
        if let failure { throw failure }
    }

    private func hand(_ index: Int, _ bitmap: Bitmap) throws(WebImageError) {
        let region = BitmapMessage(bitmap, pixels: try output.place(bitmap))
        guard output.hand(.region(index: index, region)) else { throw .noFile }
    }
}
