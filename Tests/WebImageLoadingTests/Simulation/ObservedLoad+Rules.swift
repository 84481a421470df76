import FoundationEssentials
import Synchronization
import WebImageCore

extension ObservedLoad {
    func checkPicture(_ image: Image, _ extra: SimulatedPicture.Form = []) {
        let picture = SimulatedPicture(image)
        var expected = SimulatedPicture(address: wish.address, version: picture.version, form: extra)
        if wish.isThumbnail { expected.form.insert(.thumbnail) }
        if wish.isTransformed, !SimulatedTransformer.refuses(picture.version) { expected.form.insert(.transformed) }
        check(picture == expected, "\(picture) in place of \(expected)")
        check(server.had(picture.version, at: wish.address), "\(picture), which the server never had")
    }

    func checkResult(_ result: LoadResult) {
        guard wish.interception != .answer else { return }
        checkPicture(result.image)
        let picture = SimulatedPicture(result.image)
        if !wish.interception.asksOften || result.cacheType == .noCache { checkVersion(of: result, picture) }
        if result.cacheType == .noCache {
            check(!wish.options.contains(.fromCacheOnly), "a picture from the loader, against fromCacheOnly")
        } else {
            check(!wish.options.contains(.fromLoaderOnly), "a picture from a cache, against fromLoaderOnly")
        }
        checkFile(result, picture)
    }

    /// The picture must be that of the server's bytes when it answered this load.
    private func checkVersion(of result: LoadResult, _ picture: SimulatedPicture) {
        let answers = request.answers
        // An identical load may have begun and ended meanwhile.
        if request.isShared { return checkVersion(of: result, picture, amongAll: answers) }
        let mayBeCached = isAwaited && wish.options.contains(.refreshCached) && result.cacheType != .noCache
        switch answers.last {
        case .picture(let answer) where answer.isBroken && mayBeCached: break
        case .failure where mayBeCached: break
        case .picture(let answer):
            check(picture.version == answer.version, "\(picture), but the server sent \(answer)")
        case .notModified(let answer):
            check(picture.version == answer.version, "\(picture) was kept, but the server has \(answer)")
        case .failure(let code):
            check(false, "\(picture) after the loader failed with \(code.rawValue)")
        case nil:
            check(result.cacheType != .noCache, "\(picture) from a loader that was not asked")
        }
    }

    private func checkVersion(
        of result: LoadResult, _ picture: SimulatedPicture, amongAll answers: [SimulatedRequest.Answer]
    ) {
        guard result.cacheType == .noCache else { return }
        let isAnswer = answers.contains { answer in
            if case .picture(let answer) = answer { answer.version == picture.version } else { false }
        }
        check(isAnswer, "\(picture), but the server never sent it")
    }

    private func checkFile(_ result: LoadResult, _ picture: SimulatedPicture) {
        let original = SimulatedPicture(address: picture.address, version: picture.version)
        if let data = result.data {
            check(!wish.isThumbnail && !picture.form.contains(.transformed), "a file that is not the picture's")
            // Memory and disk are two tiers: only a picture and data that came from one of them at once must agree.
            if result.cacheType != .memory { check(data == original.file, "\(picture) with the file of another") }
        }
        if result.cacheType == .noCache, wish.options.contains(.waitStoreCache), wish.tiers.storeOriginalsOnDisk {
            check(cache.hasWritten(original.file), "it did not wait for its file to be written")
        }
    }

    func checkFailure(_ error: WebImageError) {
        let (answers, mayBeCancelled) = (request.answers, state.withLock { $0.mayBeCancelled })
        let codes = answers.compactMap { if case .failure(let code) = $0 { code } else { nil } }
        let isExpected =
            switch error.code {
            case .cancelled: mayBeCancelled || codes.contains(.cancelled)
            case .notCached: wish.options.contains(.fromCacheOnly) || server.hasRefused
            case .blockedURL: !wish.options.contains(.retryFailed)
            case .badImageData:
                answers.contains { if case .picture(let picture) = $0 { picture.isBroken } else { false } }
            case SimulatedInterceptor.refusal: wish.interception == .refuse
            case .timedOut: wish.interception.takesOver || codes.contains(.timedOut)
            default: codes.contains(error.code)
            }
        check(isExpected, "it failed without a reason: \(error)")
    }
}
