extension ImageDecodeOptions {
    /// The limits of a file whose frames are not read: where only the first is decoded, any number of others may follow.
    package var limitsOfFirstFrame: ImageLimits {
        var limits = limits
        if decodesFirstFrameOnly { limits.maximumFrameCount = .max }
        return limits
    }
}
