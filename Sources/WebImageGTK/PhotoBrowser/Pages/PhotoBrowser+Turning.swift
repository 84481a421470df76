import WebImage

/// Turns to another page.
extension PhotoBrowser {
    var isTurning: Bool { turning.isRunning }
    /// The time of a turn by a key or a button, in seconds.
    static let turnDuration = 0.25

    func turn(to index: Int, animated: Bool) {
        guard index >= 0, index < numberOfPhotos, deck.current?.inputIsHeld != true else { return }
        guard isPrepared else { return setCurrentPhotoIndex(index) }
        input?.cancelDrag(settles: false)
        stopTurn()
        if index != deck.index { video = nil }
        guard animated else { return deck.jump(to: index) }
        let start = deck.position.position
        turning.run(
            Self.turnDuration, .easeOut,
            step: { [weak self] in self?.deck.move(to: start + (Double(index) - start) * $0) },
            ended: { [weak self] in self?.deck.jump(to: index) })
    }

    func stopTurn() { turning.stop() }
}
