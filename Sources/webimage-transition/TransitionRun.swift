import WebImage
import WebImageCommandLine

/// One run: loads both pictures, then draws and writes one frame at a time.
struct TransitionRun: Sendable {
    private let command: TransitionCommand
    private let console: Console

    init(command: TransitionCommand, console: Console) {
        self.command = command
        self.console = console
    }

    /// - Throws: Why there is no output; a partial one is removed.
    func run() async throws(WebImageError) -> TransitionRecord {
        let clock = ContinuousClock()
        let start = clock.now
        try command.target.check(command.settings.rules)
        if let kept { return kept }
        let old = try await image(command.settings.from)
        let new = try await image(command.settings.to)
        let size = try viewSize(old, new)
        let scale = command.settings.scale ?? 1
        let effect = command.settings.effect ?? .crossDissolve
        let stage = await TransitionStage(
            effect: effect, size: PointSize(size), scale: scale, fit: command.settings.fit ?? .contain, old: old,
            new: new)
        let pixels = TransitionStage.pixels(of: size, scale: scale)
        let schedule = command.schedule
        var writer = try command.target.writer(
            size: pixels, quality: command.settings.quality ?? 90, rules: command.settings.rules, console: console)
        let byteCount: Int
        do throws(WebImageError) {
            for (number, frame) in schedule.frames.enumerated() {
                guard !Task.isCancelled else { throw .cancelled() }
                try writer.append(try await stage.frame(at: frame.progress), number: number, time: frame.time)
            }
            byteCount = try writer.finish(end: schedule.end)
        } catch {
            writer.discard()
            throw error
        }
        return TransitionRecord(
            effect: effect.name, frames: schedule.frames.count, size: pixels, bytes: byteCount,
            time: start.duration(to: clock.now), output: command.target.name)
    }

    /// The result where the animation exists and is kept.
    private var kept: TransitionRecord? {
        guard case .animation(let path) = command.target, OutputFile(path: path, rules: command.settings.rules).isKept
        else { return nil }
        return TransitionRecord(kept: path)
    }

    /// Loads a picture without any cache.
    private func image(_ address: String?) async throws(WebImageError) -> Image? {
        guard let address else { return nil }
        let operand = Operand(address)
        var context = WebImageContext()
        context.queryCacheType = ImageCacheType.none
        context.storeCacheType = ImageCacheType.none
        context.originalQueryCacheType = ImageCacheType.none
        context.originalStoreCacheType = ImageCacheType.none
        context.imageThumbnailPixelSize = PixelSize(
            width: TransitionStage.maximumSide, height: TransitionStage.maximumSide)
        do throws(WebImageError) {
            return try await WebImageManager.shared.image(
                for: try operand.url.get(), options: .decodeFirstFrameOnly, context: context)
        } catch {
            throw error.isCancelled ? error : error.naming(operand.name)
        }
    }

    /// In points. Without a requested size, the new picture is shown pixel for pixel at scale 1.
    private func viewSize(_ old: Image?, _ new: Image?) throws(WebImageError) -> PixelSize {
        if let size = command.settings.size { return size }
        guard let size = (new ?? old)?.pixelSize else { throw .cancelled() }
        let pixels = TransitionStage.pixels(of: size, scale: command.settings.scale ?? 1)
        guard max(pixels.width, pixels.height) <= TransitionStage.maximumSide else {
            throw WebImageError(
                .limitExceeded, stage: .encode, kind: .policy,
                reason:
                    "a view of \(size) points has \(pixels) pixels at scale \(command.settings.scale ?? 1), and no side may "
                    + "have more than \(TransitionStage.maximumSide); add --size WxH")
        }
        return size
    }
}

extension WebImageError {
    /// The same error, with the name of the picture.
    fileprivate func naming(_ name: String) -> WebImageError {
        WebImageError(code, stage: stage, kind: kind, reason: "\(name): \(reason)")
    }
}

extension FrameTarget {
    /// The name as given.
    fileprivate var name: String {
        switch self {
        case .standardOutput: "-"
        case .animation(let path): path
        case .pictures(let names): names.pattern
        }
    }

    /// Reports early an error that writing would report at the end.
    fileprivate func check(_ rules: OutputRules) throws(WebImageError) {
        switch self {
        case .standardOutput: break
        case .animation(let path): try OutputFile(path: path, rules: rules).check()
        case .pictures(let names): try OutputDirectory(names.directory).make()
        }
    }

    fileprivate func writer(
        size: PixelSize, quality: Int, rules: OutputRules, console: Console
    ) throws(WebImageError) -> any FrameWriter {
        switch self {
        case .standardOutput:
            return try AnimatedWebPWriter(size: size, quality: quality) { data throws(WebImageError) in
                try console.writeToOutput(data)
            }
        case .animation(let path):
            return try AnimatedWebPWriter(size: size, quality: quality) { data throws(WebImageError) in
                try OutputFile(path: path, rules: rules).write(data)
            }
        case .pictures(let names):
            return NumberedPNGWriter(names, rules)
        }
    }
}
