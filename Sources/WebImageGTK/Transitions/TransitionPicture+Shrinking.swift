import WebImage

extension TransitionPicture {
    /// The ratio of the picture's pixels to drawn pixels from which reducing the picture pays.
    private static let largeShare = 4.0

    /// Reduces a picture with far more pixels than are drawn, on another thread. Until that is done the picture is
    /// drawn as it is, which takes cairo a tenth of a second per frame for a photograph.
    ///
    /// - Parameters:
    ///   - size: The size at which all of the picture is drawn, in points.
    ///   - scale: Device pixels per point.
    func shrink(to size: PointSize, scale: Double) {
        guard let bitmap, !size.isEmpty else { return }
        let pixels = PointSize(width: (size.width * scale).rounded(.up), height: (size.height * scale).rounded(.up))
        guard Double(bitmap.size.area) > Self.largeShare * pixels.width * pixels.height else { return }
        _ = JobQueue.decoding.submit(priority: .high) { [weak self] in
            guard let small = Image(bitmap: bitmap).resized(to: pixels, scaleMode: .fill)?.bitmap else { return }
            Task { @MainActor in self?.replace(by: small) }
        }
    }
}
