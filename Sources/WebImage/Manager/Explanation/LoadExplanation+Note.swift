extension LoadExplanation {
    /// One way in which settings work together. ``description`` says it in words.
    public enum Note: String, Sendable, Hashable, CaseIterable {
        // MARK: Options against options
        /// Both priorities are given.
        case highPriorityWins
        /// Neither cache nor loader may be asked.
        case nothingToFind
        /// ``WebImageOptions/refreshCached`` has nothing to refresh, or nobody to ask.
        case refreshNeedsCacheAndLoader
        /// ``WebImageOptions/refreshCached`` does not reach the original of another picture.
        case refreshLeavesOriginalAlone
        /// Partial pictures and a refreshed one exclude each other.
        case refreshDelaysPartialPictures
        /// ``WebImageOptions/queryMemoryDataSync`` stands alone.
        case memoryDataSyncNeedsMemoryData
        /// ``WebImageOptions/queryMemoryData`` finds no file.
        case derivedPictureHasNoData
        /// The caller waits for the disk.
        case blocksCaller
        /// Options that only views look at.
        case viewOptionsNeedView

        // MARK: Pixels
        /// ``WebImageOptions/decodeFirstFrameOnly`` wins over settings for animations.
        case firstFrameBeatsAnimatedClass
        /// ``WebImageOptions/matchAnimatedImageClass`` stands alone.
        case animatedClassMissing
        /// Both a limit in bytes and a thumbnail size are given.
        case limitBeatsThumbnail
        /// Both a limit of the context and ``WebImageOptions/scaleDownLargeImages`` are given.
        case ownLimitBeatsDefault
        /// Partial pictures are wanted of a file that is to be decrypted.
        case noPartialsOfEncrypted
        /// Partial pictures are wanted of a coder that makes none.
        case noPartialsFromCoder
        /// A policy about decoding is given.
        case forceDecodeHasNoEffect
        /// ``ImageTransformer/disabled`` is given, or another one without a key.
        case transformerSwitchedOff
        /// The transformer is for still pictures only.
        case animationsNotTransformed
        /// The transformer is for pictures of pixels only.
        case vectorsNotTransformed

        // MARK: Caches
        /// The address is that of a file, or the file itself.
        case localFilesNotCopied
        /// The pixels are others than the name of their file would say.
        case unusualPixelsNotOnDisk
        /// The finished picture's file must not be taken for a whole animation's.
        case firstFrameNotOnDisk
        /// No tier gets the finished picture.
        case resultNotStored
        /// The original is looked for in memory in vain.
        case thumbnailNeedsBytes
        /// The cache makes the thumbnail of a larger picture that is in memory now.
        case largerInMemory

        // MARK: Manager and loader
        /// The context has no transformer, and the manager has.
        case managerTransformer
        /// The context has no key filter, and the manager has.
        case managerKeyFilter
        /// The context has no serializer, and the manager has.
        case managerSerializer
        /// ``WebImageOptions/continueInBackground`` has nobody to ask.
        case noBackgroundTasks
        /// The address is on the list of failed URLs, and ``WebImageOptions/retryFailed`` is given.
        case failedBefore
        /// Certificates are not verified.
        case anyCertificate
        /// What is sent is known only when it is sent.
        case requestModified
        /// A value of the context is neither a class nor `Hashable`.
        case notComparable
    }
}

extension LoadExplanation.Note: CustomStringConvertible {
    /// One sentence without a full stop.
    public var description: String {
        switch self {
        case .highPriorityWins: "highPriority wins over lowPriority"
        case .nothingToFind: "fromCacheOnly and fromLoaderOnly together leave no place to find a picture"
        case .refreshNeedsCacheAndLoader: "refreshCached has no effect with fromCacheOnly or fromLoaderOnly"
        case .refreshLeavesOriginalAlone:
            "refreshCached has no effect on a picture that is made from its original on disk"
        case .refreshDelaysPartialPictures: "progressiveLoad has no effect while a cached picture is refreshed"
        case .memoryDataSyncNeedsMemoryData: "queryMemoryDataSync has no effect without queryMemoryData"
        case .derivedPictureHasNoData:
            "queryMemoryData has no effect on thumbnails and transformed pictures, nor without the disk: there is no file "
                + "of theirs to deliver"
        case .blocksCaller: "the disk is read on the caller's thread, which blocks until that is done"
        case .viewOptionsNeedView:
            "delayPlaceholder, avoidAutoSetImage, forceTransition, avoidAutoCancelImage and waitTransition are for views; "
                + "a load of the manager ignores them"
        case .firstFrameBeatsAnimatedClass:
            "decodeFirstFrameOnly beats animatedImageClass, matchAnimatedImageClass and preloadAllFrames: animations "
                + "become still pictures"
        case .animatedClassMissing: "matchAnimatedImageClass has no effect without an animatedImageClass"
        case .limitBeatsThumbnail:
            "a picture beyond the limit in bytes is decoded to that and not to the thumbnail size, which names it still"
        case .ownLimitBeatsDefault: "imageScaleDownLimitBytes takes the place of scaleDownLargeImages' own limit"
        case .noPartialsOfEncrypted: "progressiveLoad has no effect with a decryptor: parts cannot be decrypted"
        case .noPartialsFromCoder: "progressiveLoad has no effect with a coder that is not progressive"
        case .forceDecodeHasNoEffect:
            "avoidDecodeImage and imageForceDecodePolicy have no effect: pictures are always decoded before they are "
                + "delivered, never on the main thread"
        case .transformerSwitchedOff: "the transformer is switched off for this load, the manager's too"
        case .animationsNotTransformed: "animations are not transformed; transformAnimatedImage would"
        case .vectorsNotTransformed: "vector images are not transformed; transformVectorImage would"
        case .localFilesNotCopied: "file and data URLs are on this machine already and are not copied to the disk cache"
        case .unusualPixelsNotOnDisk:
            "the finished picture stays off the disk, where its name does not tell these decode options from the usual"
        case .firstFrameNotOnDisk:
            "of first frames, only those of JPEGs get a file of their own: a JPEG is known to have no other frame"
        case .resultNotStored: "the finished picture is stored nowhere: storeCacheType leaves no tier for it"
        case .largerInMemory: "the thumbnail is made of a larger picture in memory; nothing is read"
        case .thumbnailNeedsBytes: "the original in memory is of no use: a thumbnail cannot be decoded from pixels"
        case .managerTransformer: "the transformer is the manager's"
        case .managerKeyFilter: "the names in the caches come from the manager's cacheKeyFilter"
        case .managerSerializer: "files for the disk come from the manager's cacheSerializer"
        case .noBackgroundTasks: "continueInBackground has no effect: the manager has no backgroundTasks"
        case .failedBefore: "the address failed before; retryFailed loads it all the same"
        case .anyCertificate:
            "allowInvalidSSLCertificates believes any server: anybody on the way can read and change what is sent"
        case .requestModified: "a request modifier has the last word on address, method and header fields"
        case .notComparable:
            "a collaborator or a value of the app's own cannot be compared: loads of the same picture share their work "
                + "only where they have copies of one context; make it Hashable, or a class"
        }
    }
}
