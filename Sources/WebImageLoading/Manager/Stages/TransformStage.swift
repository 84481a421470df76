import WebImageCore
import WebImageHTTP
import WebImagePixels

/// Transforms a decoded picture, once for all loads that want the same.
struct TransformStage: Sendable {
    /// A failure only where the picture cannot be decoded, or all loads have left.
    typealias Outcome = Result<DecodedImage, WebImageError>

    let plan: LoadPlan
    let shared: SharedStages

    /// Calls back on the decoding queue; at once when another load has just finished the same transform, or the caller
    /// blocks.
    func transform(
        _ decoded: DecodedImage, _ encoded: EncodedImage, priority: LoadPriority,
        completion: @escaping @Sendable (Outcome) -> Void
    ) -> any CancellableTask {
        let source = encoded.source
        guard !encoded.blocksCaller(by: plan) else {
            completion(transformNow(decoded, of: encoded))
            return EndedLoadTask()
        }
        if let transformed = decoded.transforms[transformerKey] {
            completion(.success(transformed))
            return EndedLoadTask()
        }
        return shared.transforms.submit(
            TransformKey(
                decoded: ObjectIdentifier(decoded), transformerKey: transformerKey,
                looksIntoMemory: looksIntoMemory(source), reader: plan.rights),
            priority: priority,
            work: { transformNow(decoded, of: encoded, cancellation: $0) }
        ) {
            // A load that shares the transform may have another address for the file.
            completion($0.mapError { $0.about(plan.url) })
        }
    }

    /// Transforms on this thread.
    func transformNow(
        _ decoded: DecodedImage, of encoded: EncodedImage, cancellation: CancellationFlag? = nil
    ) -> Outcome {
        if let transformed = decoded.transforms[transformerKey] { return .success(transformed) }
        // Another load may have finished the same picture while this one waited for its turn or its bytes. It is not
        // recorded as made from this one: loads without a memory query need a picture of their own.
        if looksIntoMemory(encoded.source), let image = plan.imageFromMemory() {
            return .success(DecodedImage(image, isFromMemory: true))
        }
        do throws(WebImageError) {
            let transformed = try make(of: decoded, encoded, cancellation)
            decoded.transforms[transformerKey] = transformed
            return .success(transformed)
        } catch {
            return .failure(error)
        }
    }

    private func looksIntoMemory(_ source: EncodedImage.Source) -> Bool {
        // A load that revalidates needs the picture of exactly the file that the server revalidates.
        source != .loader && plan.queriesMemory && !plan.revalidates
    }

    /// - Throws: ``WebImageError/Code/cancelled``, and the errors of the coder where the transformer gives nothing for a
    ///   region, and the whole picture does not decode.
    private func make(
        of decoded: DecodedImage, _ encoded: EncodedImage, _ cancellation: CancellationFlag?
    ) throws(WebImageError) -> DecodedImage {
        let image = apply(to: decoded.image, region: decoded.region, cancellation: cancellation)
        // A transform that was cancelled in the middle gives nothing, also to a load that begins now.
        try cancellation?.check()
        if let image { return DecodedImage(image.made(likewise: decoded.image)) }
        shared.warnings.warnOnce(
            about: transformerKey,
            "the transformer \(transformerKey) gave nothing for \(plan.url.abbreviated); the picture is delivered as it is"
        )
        var picture = decoded.image
        if decoded.region != nil {
            picture = try DecodeStage(plan: plan, shared: shared).wholePicture(
                of: encoded, cancellation: cancellation)
        }
        // Under the transformed picture's key it would be taken for a transformed one.
        return DecodedImage(picture, isStored: true)
    }

    /// The transformed picture; nil when the transformer gives none.
    ///
    /// - Parameter region: What the decode has done of the transform.
    func apply(
        to image: Image, region: DecodeRegion? = nil, cancellation: CancellationFlag?
    ) -> Image? {
        guard var transformer = plan.transformer else { return nil }
        if region != nil { transformer = transformer.described?.afterRegion ?? transformer }
        transformer = transformer.settled(
            on: image.animation, scale: image.scale, cancellation: cancellation)
        let poster = image.transformed(by: transformer, for: plan.keys.result, cancellation: cancellation)
        guard let poster, let animation = image.animation, poster.animation == nil else { return poster }
        return Image(
            bitmap: poster.bitmap, scale: poster.scale, metadata: poster.metadata,
            animation: TransformedAnimation(of: animation, by: transformer, scale: image.scale, key: plan.keys.result),
            decodeOptions: poster.decodeOptions)
    }

    private var transformerKey: String { plan.transformer?.transformerKey ?? "" }
}

/// Transforms with equal keys are the same work. The waiting load retains the picture, so that its identity is not
/// reused.
struct TransformKey: Hashable, Sendable {
    let decoded: ObjectIdentifier
    let transformerKey: String
    let looksIntoMemory: Bool
    /// A picture in memory must not come to a load that may not see it.
    let reader: LoadRights
}
