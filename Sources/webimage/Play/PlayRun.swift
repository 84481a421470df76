import WebImage
import WebImageCommandLine

/// One run of `webimage play`: loads animations, and plays one after the other.
@MainActor
final class PlayRun {
    private let settings: PlaybackSettings
    private let pipeline: LoadPipeline
    private let fitting: PictureFitting
    /// nil when nothing is drawn.
    private let stage: PlayStage?
    private var current: PlayedAnimation?
    /// Whether a key has asked for the end.
    private var isOver = false

    init(settings: PlaybackSettings, pipeline: LoadPipeline, fitting: PictureFitting, stage: PlayStage?) {
        self.settings = settings
        self.pipeline = pipeline
        self.fitting = fitting
        self.stage = stage
    }

    /// Plays all of them.
    ///
    /// - Parameter receive: Gets the report of each at its end.
    /// - Returns: Whether each was loaded.
    func play(_ operands: [Operand], receive: (PlayRecord) -> Void) async -> Bool {
        let keys = stage.flatMap { _ in
            KeyInput { [weak self] key in MainActor.assumeIsolated { self?.take(key) } }
        }
        defer { withExtendedLifetime(keys) { pipeline.finish() } }
        var isWhole = true
        for operand in operands where !isOver && !Task.isCancelled {
            let record = await play(operand)
            isWhole = isWhole && record.load.error == nil
            receive(record)
        }
        return isWhole
    }

    private func play(_ operand: Operand) async -> PlayRecord {
        var record = PlayRecord(load: LoadRecord(operand))
        do throws(WebImageError) {
            let picture = try await pipeline.load(try operand.pictureURL.get(), progress: nil)
            record.load.take(
                picture, size: picture.result.image.pixelSize, isRepetition: false, followsServer: false)
            guard !isOver else { return record }
            try await play(picture.result.image, named: operand.shortName, &record)
        } catch {
            record.load.take(error, isRepetition: false)
        }
        return record
    }

    private func play(_ image: Image, named name: String, _ record: inout PlayRecord) async throws(WebImageError) {
        defer { stage?.end() }
        record.frames = image.animation?.frameCount ?? 1
        guard let animation = image.animation,
            let player = AnimatedImagePlayer(animation, poster: image.bitmap)
        else {
            try stage?.draw(try fitting.fitted(image), status: name)
            return
        }
        settings.apply(to: player)
        let played = PlayedAnimation(player, named: name, fitting: fitting, stage: stage)
        current = played
        await played.play()
        current = nil
        if let failure = played.failure { throw failure }
        record.loops = played.loopCount
        record.statistics = played.statistics
        record.seconds = played.seconds
    }

    private func take(_ key: Key) {
        switch key {
        case .character("q"):
            isOver = true
            current?.end()
        case .character("n"): current?.end()
        default: current?.take(key)
        }
    }
}
