import FoundationEssentials
import WebImage
import WebImageCommandLine

/// One run of `webimage show`: loads the pictures, and draws them in their order.
struct ShowRun: Sendable {
    /// The outcome of a picture.
    struct Outcome: Sendable {
        let operand: Operand
        var record: LoadRecord
        /// As it is drawn; nil for one that has failed.
        var bitmap: Bitmap?
        var isCancelled = false
    }

    let operands: [Operand]
    let concurrency: Int
    let followsServer: Bool
    let pipeline: LoadPipeline
    let fitting: PictureFitting

    /// Loads all pictures.
    ///
    /// - Parameter receive: Gets each in the order of the operands, as soon as all before it are known.
    func run(_ board: ProgressBoard?, receive: (Outcome) -> Void) async {
        var outcomes: [Int: Outcome] = [:]
        var told = 0
        await Array(operands.indices).forEachConcurrently(limit: concurrency) { index in
            await load(operands[index], board)
        } receive: { index, outcome in
            outcomes[index] = outcome
            while let next = outcomes.removeValue(forKey: told) {
                receive(next)
                told += 1
            }
        }
        pipeline.finish()
    }

    private func load(_ operand: Operand, _ board: ProgressBoard?) async -> Outcome {
        let bar = board?.add(operand.shortName)
        defer { bar?.remove() }
        let start = ContinuousClock.now
        var outcome = Outcome(operand: operand, record: LoadRecord(operand))
        do throws(WebImageError) {
            let picture = try await pipeline.load(try operand.pictureURL.get()) { bar?.update($0) }
            outcome.record.take(
                picture, size: picture.result.image.pixelSize, isRepetition: false, followsServer: followsServer)
            outcome.bitmap = try await LongWork.run { [fitting] _ throws(WebImageError) in
                try fitting.fitted(picture.result.image)
            }
        } catch {
            outcome.record.take(error, isRepetition: false)
            outcome.isCancelled = error.isCancelled
        }
        outcome.record.milliseconds = start.duration(to: .now).milliseconds
        return outcome
    }
}
