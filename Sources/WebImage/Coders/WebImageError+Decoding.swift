extension WebImageError {
    /// The file ends before its picture does.
    static func truncated(_ format: ImageFormat) -> WebImageError {
        WebImageError(
            .truncatedImageData, stage: .decode, kind: .permanent,
            reason: "the \(format) file ends before its picture does; get the whole file again")
    }

    /// The file breaks its format's rules in a way that leaves no picture; `finding` completes "the GIF file …".
    static func damaged(_ format: ImageFormat, _ finding: String) -> WebImageError {
        WebImageError(
            .badImageData, stage: .decode, kind: .permanent, reason: "the \(format) file is damaged: \(finding)")
    }

    /// The picture could not be written; `finding` says why.
    static func notEncoded(_ format: ImageFormat, _ finding: String) -> WebImageError {
        WebImageError(
            .encodeFailed, stage: .encode, kind: .permanent, reason: "could not encode \(format): \(finding)")
    }
}
