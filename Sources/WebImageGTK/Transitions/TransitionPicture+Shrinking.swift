import WebImage

extension TransitionPicture {
    /// How many times as many pixels as are seen are worth being fewer.
    private static let largeShare = 4.0

    /// Brings a picture that has far more pixels than are seen of it to as many as are, on another thread. Until that is
    /// done it is drawn as it is, for which cairo takes a tenth of a second in each frame when it is a photograph.
    ///
    /// - Parameters:
    ///   - size: At which all of the picture is seen, in points.
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
