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
        let key = key(of: encoded)
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
        run(encoded, key(of: encoded), flag: CancellationFlag()).mapError { $0.about(plan.url) }
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
            let image = try image(of: encoded, key.hint, region: key.region, flag: flag)
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
    func wholePicture(of encoded: EncodedImage) throws(WebImageError) -> Image {
        try image(of: encoded, plan.formatHint, region: nil, flag: TransformCancellation.flag ?? CancellationFlag())
    }

    private func image(
        of encoded: EncodedImage, _ hint: ImageFormatHint, region: DecodeRegion?, flag: CancellationFlag
    ) throws(WebImageError) -> Image {
        var options = encoded.source == .disk(.result) ? plan.resultDecodeOptions : plan.decodeOptions
        options.formatHint = hint
        options.cancellation = flag
        options.region = region
        options.address = plan.url
        let poster = described(try poster(of: encoded.data, &options), encoded)
        let image = try animated(poster, encoded.data, options)
        if plan.options.contains(.preloadAllFrames) { image.animation?.preloadAllFrames() }
        return image.made(
            from: ImageOrigin(
                file: fileFingerprint(of: encoded), localFile: encoded.localFile,
                expiresAt: encoded.entry?.expiresAt, createdAt: encoded.entry?.createdAt,
                rights: rights(of: encoded), keeping: encoded.keeping, record: encoded.record))
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

    /// Those of the load that got the bytes.
    private func rights(of encoded: EncodedImage) -> LoadRights {
        encoded.stored?.entry.rights ?? plan.rights
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

    private func key(of encoded: EncodedImage) -> DecodeKey {
        DecodeKey(
            name: encoded.source == .disk(.result) ? plan.keys.result : plan.keys.decoded, pixels: plan.keys.pixels,
            limits: plan.decodeOptions.limits, hint: plan.formatHint, source: encoded.source, file: encoded.fingerprint,
            rights: DecodeRights(file: rights(of: encoded), reader: plan.rights, keeping: encoded.keeping),
            looksIntoMemory: looksIntoMemory(encoded), preloads: plan.options.contains(.preloadAllFrames),
            region: region(of: encoded), requiresClass: plan.requiresAnimatedClass, coder: plan.coderIdentity,
            cache: plan.cacheIdentity)
    }

    private func region(of encoded: EncodedImage) -> DecodeRegion? {
        let isOriginal = encoded.source == .loader || encoded.source == .disk(.original)
        return isOriginal ? plan.region(of: encoded.data) : nil
    }

    private func looksIntoMemory(_ encoded: EncodedImage) -> Bool {
        // A load that revalidates needs the picture of exactly the file that the server revalidates.
        encoded.source != .loader && plan.queriesMemory && plan.transformer == nil && !plan.revalidates
    }
}

/// Two decodes with equal keys give equal pixels, or fail alike.
// A class: it goes through many hands, and holds a handful of references.
final class DecodeKey: Hashable, Sendable {
    let name: CacheKey
    /// How the pixels differ from the usual ones of that key.
    let pixels: String
    /// Other limits may refuse or accept the picture.
    let limits: ImageLimits
    let hint: ImageFormatHint
    let source: EncodedImage.Source
    /// The server's file may change between two loads. Not the bytes: keys are compared under the lock of all decodes.
    let file: FileFingerprint?
    /// Bytes that only seem equal must not come to a load that may not see them, nor a picture from memory.
    let rights: DecodeRights
    let looksIntoMemory: Bool
    let preloads: Bool
    /// The part that the load's transformer begins with.
    let region: DecodeRegion?
    let requiresClass: Bool
    let coder: CollaboratorIdentity
    /// The cache that a decode queries first.
    let cache: CollaboratorIdentity
    /// Computed once, from the parts in which most keys differ.
    private let hash: Int

    init(
        name: CacheKey, pixels: String, limits: ImageLimits, hint: ImageFormatHint, source: EncodedImage.Source,
        file: FileFingerprint?, rights: DecodeRights, looksIntoMemory: Bool, preloads: Bool, region: DecodeRegion?,
        requiresClass: Bool, coder: CollaboratorIdentity, cache: CollaboratorIdentity
    ) {
        self.name = name
        self.pixels = pixels
        self.limits = limits
        self.hint = hint
        self.source = source
        self.file = file
        self.rights = rights
        self.looksIntoMemory = looksIntoMemory
        self.preloads = preloads
        self.region = region
        self.requiresClass = requiresClass
        self.coder = coder
        self.cache = cache
        var hasher = Hasher()
        hasher.combine(name)
        hasher.combine(file)
        hash = hasher.finalize()
    }

    static func == (lhs: DecodeKey, rhs: DecodeKey) -> Bool {
        lhs === rhs
            || lhs.hash == rhs.hash && lhs.name == rhs.name && lhs.file == rhs.file && lhs.pixels == rhs.pixels
                && lhs.limits == rhs.limits && lhs.hint == rhs.hint && lhs.source == rhs.source
                && lhs.rights == rhs.rights && lhs.looksIntoMemory == rhs.looksIntoMemory
                && lhs.preloads == rhs.preloads && lhs.region == rhs.region
                && lhs.requiresClass == rhs.requiresClass
                && lhs.coder == rhs.coder && lhs.cache == rhs.cache
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// The rights that belong to a decode.
struct DecodeRights: Hashable, Sendable {
    /// Those with which the file was got.
    let file: LoadRights
    /// Those of the load that decodes it.
    let reader: LoadRights
    /// The places in which the picture may be kept.
    let keeping: ImageOrigin.Keeping
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
