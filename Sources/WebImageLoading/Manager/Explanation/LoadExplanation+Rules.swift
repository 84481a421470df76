import WebImageCore

/// The facts that decide the notes of an explanation.
struct LoadSituation {
    /// The request of the caller.
    let asked: ImageRequest
    let plan: LoadPlan
    let settings: LoadSettings
    /// Whether the address is on the list of failed URLs.
    let failedBefore: Bool

    var options: WebImageOptions { plan.options }
    var context: WebImageContext { plan.context }

    var findings: [LoadExplanation.Note] { LoadExplanation.Note.allCases.filter(applies) }

    private func applies(_ note: LoadExplanation.Note) -> Bool {
        appliesToOptions(note) ?? appliesToPixels(note) ?? appliesToCaches(note) ?? appliesToManager(note) ?? false
    }
}

// Each function decides its own notes, and returns nil for all others.
extension LoadSituation {
    private func appliesToOptions(_ note: LoadExplanation.Note) -> Bool? {
        switch note {
        case .highPriorityWins: options.isSuperset(of: [.highPriority, .lowPriority])
        case .nothingToFind: options.isSuperset(of: [.fromCacheOnly, .fromLoaderOnly])
        case .refreshNeedsCacheAndLoader: options.contains(.refreshCached) && !plan.refreshes
        case .refreshLeavesOriginalAlone: plan.refreshes && plan.queriesOriginal
        case .refreshDelaysPartialPictures: plan.refreshes && plan.progressiveCoder != nil
        case .memoryDataSyncNeedsMemoryData:
            options.contains(.queryMemoryDataSync) && !options.contains(.queryMemoryData)
        case .derivedPictureHasNoData: options.contains(.queryMemoryData) && !plan.wantsDataFromDisk
        case .blocksCaller:
            options.contains(.queryDiskDataSync) && plan.queriesCaches
                && (plan.reads(.result) || plan.isDerived && plan.reads(.original))
                || options.isSuperset(of: [.queryMemoryData, .queryMemoryDataSync]) && plan.wantsDataFromDisk
        case .viewOptionsNeedView: !options.isDisjoint(with: .forViews)
        default: nil
        }
    }

    private func appliesToPixels(_ note: LoadExplanation.Note) -> Bool? {
        let decode = plan.decodeOptions
        return switch note {
        case .firstFrameBeatsAnimatedClass:
            decode.decodesFirstFrameOnly
                && (context.animatedImageClass != nil
                    || !options.isDisjoint(with: [.matchAnimatedImageClass, .preloadAllFrames]))
        case .animatedClassMissing: options.contains(.matchAnimatedImageClass) && context.animatedImageClass == nil
        case .limitBeatsThumbnail: decode.scaleDownLimitBytes != nil && plan.isThumbnail
        case .ownLimitBeatsDefault:
            options.contains(.scaleDownLargeImages) && context.scaleDownLimitBytes != nil
        case .noPartialsOfEncrypted: options.contains(.progressiveLoad) && context.downloadDecryptor != nil
        case .noPartialsFromCoder: options.contains(.progressiveLoad) && plan.coder.progressiveCoder == nil
        case .avoidDecodeHasNoEffect: options.contains(.avoidDecodeImage)
        case .transformerSwitchedOff: context.transformer != nil && plan.transformer == nil
        case .animationsNotTransformed: plan.transformer != nil && !options.contains(.transformAnimatedImage)
        case .vectorsNotTransformed: plan.transformer != nil && !options.contains(.transformVectorImage)
        default: nil
        }
    }

    private func appliesToCaches(_ note: LoadExplanation.Note) -> Bool? {
        switch note {
        case .localFilesNotCopied: plan.url.isLocal
        case .unusualPixelsNotOnDisk:
            plan.isDerived && !plan.keys.hasUsualPixels && !plan.url.isLocal
                && context.storeCacheType.contains(.disk)
        case .firstFrameNotOnDisk: plan.storesResultOnDisk && plan.decodeOptions.decodesFirstFrameOnly
        case .resultNotStored: plan.storeTiers.isEmpty
        case .thumbnailNeedsBytes: plan.originalQueryTiers.contains(.memory) && plan.isThumbnail
        case .hiddenInMemory:
            plan.queriesMemory && plan.cache.imageFromMemory(for: plan.keys.memory).map { !plan.maySee($0) } ?? false
        case .serverDecides: plan.followsServer
        default: nil
        }
    }

    private func appliesToManager(_ note: LoadExplanation.Note) -> Bool? {
        let (own, manager) = (asked.context, settings.values)
        return switch note {
        case .managerTransformer:
            own.transformer == nil && manager.transformer != nil && plan.transformer != nil
        case .managerKeyFilter: own.cacheKeyFilter == nil && manager.cacheKeyFilter != nil
        case .managerSerializer: own.cacheSerializer == nil && manager.cacheSerializer != nil
        case .managerHTTPCachePolicy:
            own.httpCachePolicy == nil && manager.httpCachePolicy != HTTPCachePolicy()
        case .offline: plan.isOffline
        case .noBackgroundTasks: options.contains(.continueInBackground) && manager.backgroundTasks == nil
        case .failedBefore: failedBefore && options.contains(.retryFailed)
        case .anyCertificate: options.contains(.allowInvalidSSLCertificates)
        case .requestModified: context.downloadRequestModifier != nil
        case .notComparable: !own.isComparable
        default: nil
        }
    }
}

extension WebImageOptions {
    /// Options that only views use.
    fileprivate static let forViews: WebImageOptions = [
        .delayPlaceholder, .avoidAutoSetImage, .forceTransition, .avoidAutoCancelImage, .waitTransition,
    ]
}
