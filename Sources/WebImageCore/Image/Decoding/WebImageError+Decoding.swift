extension WebImageError {
    /// The file ends before its picture does.
    package static func truncated(_ format: ImageFormat) -> WebImageError {
        WebImageError(
            .truncatedImageData, stage: .decode, kind: .permanent,
            reason: "the \(format) file ends before its picture does; get the whole file again")
    }

    /// The file violates its format's rules and has no decodable picture; `finding` completes "the GIF file …".
    package static func damaged(_ format: ImageFormat, _ finding: String) -> WebImageError {
        WebImageError(
            .badImageData, stage: .decode, kind: .permanent, reason: "the \(format) file is damaged: \(finding)")
    }

    /// The file may be valid but is of an unsupported kind; `finding` says which.
    package static func unsupported(_ format: ImageFormat, _ finding: String) -> WebImageError {
        WebImageError(
            .badImageData, stage: .decode, kind: .permanent,
            reason: "the \(format) file is of a kind that is not read: \(finding)")
    }

    /// The file has more bytes than the limits allow.
    package static func tooManyBytes(_ count: Int, _ limits: ImageLimits) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason: "the file has \(count) bytes and \(limits.maximumByteCount) are allowed; "
                + "raise ImageLimits.maximumByteCount to take it")
    }

    /// Decoding exceeds the time limit.
    package static func tookTooLong(_ limits: ImageLimits) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason: "decoding takes more than \(limits.maximumDecodeDuration.seconds) s; "
                + "raise ImageLimits.maximumDecodeDuration to wait longer")
    }

    /// The file has more frames than the limits allow.
    package static func tooManyFrames(_ format: ImageFormat, _ limits: ImageLimits) -> WebImageError {
        var error = WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason: "the \(format) file has more than \(limits.maximumFrameCount) frames; "
                + "raise ImageLimits.maximumFrameCount to take it")
        error.isOfFrameCount = true
        return error
    }

    /// The same error for one frame; numbers count from 1.
    package func ofFrame(_ index: Int, of count: Int) -> WebImageError {
        WebImageError(
            code, stage: stage, kind: kind, reason: "frame \(index + 1) of \(count): \(reason)", url: url,
            statusCode: statusCode, underlying: underlying)
    }

    /// The picture could not be encoded; `finding` says why.
    package static func notEncoded(_ format: ImageFormat, _ finding: String) -> WebImageError {
        WebImageError(
            .encodeFailed, stage: .encode, kind: .permanent, reason: "could not encode \(format): \(finding)")
    }

    /// An operation on pixels is not possible; `reason` says why, and what to do.
    package static func invalidOperation(_ reason: String) -> WebImageError {
        WebImageError(.invalidOperation, stage: .transform, kind: .permanent, reason: reason)
    }

    package static func outOfMemory(for size: PixelSize) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason: "there is no memory for \(size) pixels; ask for a thumbnail")
    }
}
