import FoundationEssentials
import WebImageCore
import WebImageHTTP

/// Decodes bytes, once for all loads that want the same pixels of the same bytes.
struct DecodeStage: Sendable {
    typealias Outcome = Result<DecodedImage, WebImageError>

    let plan: LoadPlan
    let shared: SharedStages

    /// Calls back on the decoding queue; at once when another load has just finished the same decode, or the caller
    /// blocks.
    func decode(
        _ encoded: EncodedImage, priority: LoadPriority, completion: @escaping @Sendable (Outcome) -> Void
    ) -> any CancellableTask {
        guard !encoded.blocksCaller(by: plan) else {
            completion(decodeNow(encoded))
            return EndedLoadTask()
        }
        let key = DecodeKey(of: encoded, plan)
        if let decoded = encoded.decodes?[key] {
            completion(.success(decoded))
            return EndedLoadTask()
        }
        return shared.work.decodes(of: encoded.data, by: plan.decoder).submit(key, priority: priority) {
            run(encoded, key, flag: $0)
        } completion: {
            // A load that shares the decode may have another address for the file.
            completion($0.mapError { $0.about(plan.url) })
        }
    }

    /// A decode that fails after so long is not repeated for some time: a list that is scrolled would take all
    /// processors for pictures that never come.
    private static let longDecode = Duration.milliseconds(500)

    /// Decodes on this thread.
    func decodeNow(_ encoded: EncodedImage) -> Outcome {
        run(encoded, DecodeKey(of: encoded, plan), flag: CancellationFlag()).mapError { $0.about(plan.url) }
    }

    private func run(_ encoded: EncodedImage, _ key: DecodeKey, flag: CancellationFlag) -> Outcome {
        // Another load may have finished the same picture while this one waited for its turn or its bytes.
        if let decoded = encoded.decodes?[key] { return .success(decoded) }
        if key.looksIntoMemory, let image = plan.imageFromMemory() {
            return .success(DecodedImage(image, isFromMemory: true))
        }
        let isForced = plan.options.contains(.retryFailed)
        if !isForced, let failure = shared.failedDecodes.error(for: key) { return .failure(failure) }
        let elapsed = shared.clock.stopwatch()
        do throws(WebImageError) {
            let image = try image(of: encoded, key, flag: flag)
            // A coder of the app's own does not know regions.
            let decoded = DecodedImage(image, region: key.region?.size == image.pixelSize ? key.region : nil)
            encoded.decodes?[key] = decoded
            if isForced { shared.failedDecodes.remove(key) }
            return .success(decoded)
        } catch {
            if error.comesAgain, elapsed() >= Self.longDecode {
                shared.failedDecodes.insert(key, error.about(plan.url))
            }
            return .failure(error)
        }
    }

    /// The whole picture, on this thread.
    func wholePicture(
        of encoded: EncodedImage, cancellation: CancellationFlag?
    ) throws(WebImageError) -> Image {
        var key = DecodeKey(of: encoded, plan)
        key.region = nil
        return try image(of: encoded, key, flag: cancellation ?? CancellationFlag())
    }

    private func image(
        of encoded: EncodedImage, _ key: DecodeKey, flag: CancellationFlag
    ) throws(WebImageError) -> Image {
        var options = encoded.source == .disk(.result) ? plan.resultDecodeOptions : plan.decodeOptions
        options.formatHint = key.hint
        options.cancellation = flag
        options.region = key.region
        options.address = plan.url
        let poster = described(try poster(of: encoded.data, &options), encoded)
        let image = try animated(poster, encoded.data, options)
        if plan.options.contains(.preloadAllFrames) { image.animation?.preloadAllFrames() }
        return image.made(
            from: ImageOrigin(
                file: fileFingerprint(of: encoded), localFile: encoded.localFile,
                expiresAt: encoded.entry?.expiresAt, createdAt: encoded.entry?.createdAt,
                rights: key.rights, keeping: key.keeping, record: encoded.record))
    }

    /// The picture as the coder makes it. A file with too many frames stands still: its first is better than none.
    private func poster(of data: Data, _ options: inout ImageDecodeOptions) throws(WebImageError) -> Image {
        do throws(WebImageError) {
            return try plan.decoder.decode(data, options: options)
        } catch {
            guard error.isOfFrameCount, !plan.requiresAnimatedClass else { throw error }
            options.decodesFirstFrameOnly = true
            return try plan.decoder.decode(data, options: options)
        }
    }

    /// That of the original, also for a derived picture's own file, which a query may name, too.
    private func fileFingerprint(of encoded: EncodedImage) -> FileFingerprint? {
        let isOfDerived = plan.isDerived && encoded.source == .disk(.result) || plan.keys.original.isDerived
        guard isOfDerived else { return encoded.fingerprint }
        return encoded.original?.fingerprint ?? encoded.entry?.fileFingerprint.flatMap { FileFingerprint($0) }
    }

    /// The same picture, with metadata that the file's bytes do not contain.
    private func described(_ image: Image, _ encoded: EncodedImage) -> Image {
        var metadata = image.metadata
        var decodeOptions = image.decodeOptions
        if decodeOptions?.region != nil {
            decodeOptions?.region = nil
            metadata.isThumbnail = false
        }
        if let extendedData = encoded.entry?.extendedData { metadata.extendedData = extendedData }
        if encoded.source == .disk(.result) {
            if plan.transformer != nil { metadata.isTransformed = true }
            if let size = encoded.entry?.originalPixelSize {
                metadata.originalPixelSize = size
                metadata.isThumbnail = true
            }
        }
        return Image(
            bitmap: image.bitmap, scale: image.scale, metadata: metadata, animation: image.animation,
            decodeOptions: decodeOptions)
    }

    /// The same picture, in the animation class of the load.
    private func animated(
        _ poster: Image, _ data: Data, _ options: ImageDecodeOptions
    ) throws(WebImageError) -> Image {
        guard let animatedClass = plan.animatedClass, !options.decodesFirstFrameOnly else { return poster }
        if let animation = animatedClass.init(data: data, options: options) { return poster.animated(by: animation) }
        guard plan.requiresAnimatedClass else { return poster }
        throw WebImageError(
            .badImageData, stage: .decode, kind: .policy,
            reason: "\(animatedClass) does not take the file, and matchAnimatedImageClass allows nothing else")
    }
}

extension WebImageError {
    /// Whether the same decode of the same file fails again.
    fileprivate var comesAgain: Bool { kind == .permanent || code == .limitExceeded }
}

extension Image {
    fileprivate func animated(by animation: any AnimatedImageProvider) -> Image {
        var metadata = metadata
        metadata.frameCount = animation.frameCount
        metadata.loopCount = animation.loopCount
        return Image(
            bitmap: bitmap, scale: scale, metadata: metadata, animation: animation, decodeOptions: decodeOptions)
    }
}
