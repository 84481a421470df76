extension LoadExplanation {
    /// A combination of settings with a surprising effect. ``description`` explains it.
    package enum Note: String, Sendable, Hashable, CaseIterable {
        // MARK: Options against options
        /// Both priorities are given.
        case highPriorityWins
        /// Neither cache nor loader may be used.
        case nothingToFind
        /// ``WebImageOptions/refreshCached`` has no cache to refresh, or no loader.
        case refreshNeedsCacheAndLoader
        /// ``WebImageOptions/refreshCached`` does not refresh the original of a derived picture.
        case refreshLeavesOriginalAlone
        /// Partial pictures and a refresh exclude each other.
        case refreshDelaysPartialPictures
        /// ``WebImageOptions/queryMemoryDataSync`` without the option that it depends on.
        case memoryDataSyncNeedsMemoryData
        /// ``WebImageOptions/queryMemoryData`` finds no file for a derived picture.
        case derivedPictureHasNoData
        /// The caller waits for the disk.
        case blocksCaller
        /// Options that only views use.
        case viewOptionsNeedView

        // MARK: Pixels
        /// ``WebImageOptions/decodeFirstFrameOnly`` overrides settings for animations.
        case firstFrameBeatsAnimatedClass
        /// ``WebImageOptions/matchAnimatedImageClass`` without a class.
        case animatedClassMissing
        /// Both a limit in bytes and a thumbnail size are given.
        case limitBeatsThumbnail
        /// Both a limit of the context and ``WebImageOptions/scaleDownLargeImages`` are given.
        case ownLimitBeatsDefault
        /// Partial pictures of an encrypted file.
        case noPartialsOfEncrypted
        /// Partial pictures with a coder that makes none.
        case noPartialsFromCoder
        /// ``WebImageOptions/avoidDecodeImage`` is given.
        case avoidDecodeHasNoEffect
        /// ``ImageTransformer/disabled``, or another transformer without a key.
        case transformerSwitchedOff
        /// The transformer is only for still pictures.
        case animationsNotTransformed
        /// The transformer is only for bitmaps.
        case vectorsNotTransformed

        // MARK: Caches
        /// The address is a file's, or contains the file.
        case localFilesNotCopied
        /// The pixels differ from those that the file's key stands for.
        case unusualPixelsNotOnDisk
        /// The finished picture's file must not be taken for a whole animation.
        case firstFrameNotOnDisk
        /// No tier gets the finished picture.
        case resultNotStored
        /// The original in memory is of no use for a thumbnail.
        case thumbnailNeedsBytes

        /// Memory has the picture, got with rights that the load does not have.
        case hiddenInMemory

        /// The rules of HTTP apply.
        case serverDecides

        // MARK: Manager and loader
        /// The context has no transformer, and the manager has.
        case managerTransformer
        /// The context has no key filter, and the manager has.
        case managerKeyFilter
        /// The context has no serializer, and the manager has.
        case managerSerializer
        /// The context has no policy for HTTP, and the manager has.
        case managerHTTPCachePolicy
        /// The manager must not use the network.
        case offline
        /// ``WebImageOptions/continueInBackground`` without a provider of background tasks.
        case noBackgroundTasks
        /// The address is on the list of failed URLs, and ``WebImageOptions/retryFailed`` is given.
        case failedBefore
        /// Certificates are not verified.
        case anyCertificate
        /// The request is known only when it is sent.
        case requestModified
        /// A value of the context is neither an object nor `Hashable`.
        case notComparable
    }
}

extension LoadExplanation.Note: CustomStringConvertible {
    /// One sentence without a full stop.
    package var description: String {
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
            "decodeFirstFrameOnly overrides animatedImageClass, matchAnimatedImageClass and preloadAllFrames: animations "
                + "become still pictures"
        case .animatedClassMissing: "matchAnimatedImageClass has no effect without an animatedImageClass"
        case .limitBeatsThumbnail:
            "a picture above the limit in bytes is decoded to that and not to the thumbnail size, which stays in its key"
        case .ownLimitBeatsDefault: "scaleDownLimitBytes replaces the limit of scaleDownLargeImages"
        case .noPartialsOfEncrypted: "progressiveLoad has no effect with a decryptor: parts cannot be decrypted"
        case .noPartialsFromCoder: "progressiveLoad has no effect with a coder that is not progressive"
        case .avoidDecodeHasNoEffect:
            "avoidDecodeImage has no effect: pictures are always decoded before they are "
                + "delivered, never on the main thread"
        case .transformerSwitchedOff: "all transformers are disabled for this load, the manager's too"
        case .animationsNotTransformed: "animations are not transformed; transformAnimatedImage would"
        case .vectorsNotTransformed: "vector images are not transformed; transformVectorImage would"
        case .localFilesNotCopied: "file and data URLs are on this machine already and are not copied to the disk cache"
        case .unusualPixelsNotOnDisk:
            "the finished picture is not written to the disk, where its key does not contain these decode options"
        case .firstFrameNotOnDisk:
            "of first frames, only those of JPEG files are written to the disk: a JPEG has no other frame"
        case .resultNotStored: "the finished picture is not stored: storeCacheType has no tier for it"
        case .thumbnailNeedsBytes: "the original in memory is of no use: a thumbnail cannot be decoded from pixels"
        case .hiddenInMemory:
            "the picture in memory was loaded with any certificate, another credential or another decryptor: this load "
                + "does not see it"
        case .serverDecides:
            "the server decides by the rules of HTTP how long a picture is used from a cache; files of thumbnails and "
                + "transformed pictures are used only with the original that they were made of"
        case .managerTransformer: "the transformer is the manager's"
        case .managerKeyFilter: "the names in the caches come from the manager's cacheKeyFilter"
        case .managerSerializer: "files for the disk come from the manager's cacheSerializer"
        case .managerHTTPCachePolicy: "the policy for the answers of HTTP servers is the manager's"
        case .offline: "the manager is offline: pictures of the web come from the caches alone"
        case .noBackgroundTasks: "continueInBackground has no effect: the manager has no backgroundTasks"
        case .failedBefore: "the address failed before; retryFailed loads it nevertheless"
        case .anyCertificate:
            "allowInvalidSSLCertificates accepts any certificate: a third party can read and change the transfer; "
                + "only loads with that option see the picture"
        case .requestModified: "a request modifier may change address, method and header fields"
        case .notComparable:
            "a collaborator or a value of the app's own cannot be compared: loads of the same picture share their work "
                + "only where they have copies of one context; make it Hashable, or a class"
        }
    }
}
