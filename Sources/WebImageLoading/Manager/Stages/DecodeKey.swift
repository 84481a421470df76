import WebImageCore

/// Two decodes with equal keys give equal pixels, or fail alike.
// The parts in which most keys differ come first, since they are compared in this order.
struct DecodeKey: Hashable, Sendable {
    let name: CacheKey
    /// The server's file may change between two loads. Not the bytes: keys are compared under the lock of all decodes.
    let file: FileFingerprint?
    /// How the pixels differ from the usual ones of that key.
    let pixels: String
    /// Other limits may refuse or accept the picture.
    let limits: ImageLimits
    let hint: ImageFormatHint
    let source: EncodedImage.Source
    /// The rights with which the file was got: bytes that only seem equal must not come to a load that may not see them.
    let rights: LoadRights
    /// The rights of the load that decodes the file, which may get a picture from memory.
    let reader: LoadRights
    /// The places in which the picture may be kept.
    let keeping: ImageOrigin.Keeping
    let looksIntoMemory: Bool
    let preloads: Bool
    /// The part that the load's transformer begins with.
    var region: DecodeRegion?
    let requiresClass: Bool
    let coder: CollaboratorIdentity
    /// The cache that a decode queries first.
    let cache: CollaboratorIdentity

    init(of encoded: EncodedImage, _ plan: LoadPlan) {
        source = encoded.source
        name = source == .disk(.result) ? plan.keys.result : plan.keys.decoded
        file = encoded.fingerprint
        pixels = plan.keys.pixels
        limits = plan.decodeOptions.limits
        hint = plan.formatHint
        rights = encoded.stored?.entry.rights ?? plan.rights
        reader = plan.rights
        keeping = encoded.keeping
        // A load that revalidates needs the picture of exactly the file that the server revalidates.
        looksIntoMemory = source != .loader && plan.queriesMemory && plan.transformer == nil && !plan.revalidates
        preloads = plan.options.contains(.preloadAllFrames)
        region = source == .loader || source == .disk(.original) ? plan.region(of: encoded.data) : nil
        requiresClass = plan.requiresAnimatedClass
        coder = plan.coderIdentity
        cache = plan.cacheIdentity
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(file)
    }
}
