import Synchronization
import WebImageCore
import WebImageIsolation

/// Sends rows to the app, some at a time. One thread at a time.
final class SentRows: PixelRowReceiver {
    private let output: WorkerOutput
    /// Raised when the app does not take them.
    private let cancellation: CancellationFlag
    private let slice = Mutex<Slice?>(nil)

    private struct Slice {
        let buffer: SharedBuffer
        let bytesPerRow: Int
        var count = 0

        var capacity: Int { buffer.bytes.count / bytesPerRow }

        mutating func add(_ row: UnsafeRawBufferPointer) {
            let start = count * bytesPerRow
            UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[start..<start + bytesPerRow]).copyMemory(from: row)
            count += 1
        }
    }

    private static let sliceByteCount = 1 << 20

    init(_ output: WorkerOutput, cancellation: CancellationFlag) {
        self.output = output
        self.cancellation = cancellation
    }

    func receive(_ row: UnsafeRawBufferPointer) {
        guard !cancellation.isCancelled, !row.isEmpty else { return }
        guard var slice = slice.withLock({ $0 }) ?? begin(row.count), row.count == slice.bytesPerRow else {
            cancellation.cancel()
            return
        }
        slice.add(row)
        if slice.count == slice.capacity { send(&slice) }
        self.slice.withLock { $0 = slice }
    }

    /// Sends what is left of the rows that `work` gives.
    ///
    /// - Throws: Also ``WebImageError/Code/limitExceeded`` where the app has no memory for them.
    func completing<Result>(_ work: () throws(WebImageError) -> Result) throws(WebImageError) -> Result {
        do throws(WebImageError) {
            let result = try work()
            sendRest()
            guard !cancellation.isCancelled else { throw .cancelled() }
            return result
        } catch {
            throw error.isCancelled ? .noRowMemory : error
        }
    }

    private func sendRest() {
        guard var slice = slice.withLock({ $0 }), slice.count > 0 else { return }
        send(&slice)
        self.slice.withLock { $0 = slice }
    }

    private func begin(_ bytesPerRow: Int) -> Slice? {
        output.buffers.buffer(byteCount: max(bytesPerRow, Self.sliceByteCount)).map {
            Slice(buffer: $0, bytesPerRow: bytesPerRow)
        }
    }

    private func send(_ slice: inout Slice) {
        guard let index = output.buffers.index(of: slice.buffer) else { return }
        let rows = RowsMessage(count: slice.count, bytesPerRow: slice.bytesPerRow, buffer: index)
        if !output.hand(.rows(rows)) { cancellation.cancel() }
        slice.count = 0
    }
}

extension WebImageError {
    fileprivate static var noRowMemory: WebImageError {
        WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason: "there is no memory to bring rows of the picture to the app; try again later")
    }
}
