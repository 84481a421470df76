import WebImage

/// Says once, in debug builds, that a view shows the first frame of an animation and does not play it.
enum AnimationNote {
    /// Whether it was said; tests reset it.
    static var isSaid = false

    static func noteStillness(of image: Image) {
        #if DEBUG
            guard image.isAnimated, !isSaid else { return }
            isSaid = true
            WebImageLog.warn(
                "a view shows the first frame of an animation: views do not play animations yet (said once, in debug "
                    + "builds only)")
        #endif
    }
}
