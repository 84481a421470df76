import WebImage

/// The sign over the current page: the progress of its load, its complaint, or the button of a video.
extension PhotoBrowser {
    func updateStatus() {
        keepFocus(of: status.widget) { status.content = statusContent }
        stage.setAccessibleBusy(currentPhoto?.isLoading ?? false)
    }

    /// Whether a page or a picture is on its way.
    private var isMoving: Bool { !deck.position.isAtRest || flight.isRunning || presentation?.isClosing == true }

    /// The signs of a page go when it begins to move, and come when it rests. What a flight has hidden comes back then.
    func followMovement() {
        guard isMoving != wasMoving else { return }
        wasMoving = isMoving
        updateStatus()
        applyVisibility()
    }

    private var statusContent: PageStatus.Content {
        // The sign stands in the middle of the view: beside a page that moves it would seem to belong to another one.
        guard let photo = currentPhoto, !isGridVisible, !isMoving else { return .none }
        if let video { return video.isResolving ? .loading(nil) : .none }
        let hasPicture = deck.current?.hasPicture ?? false
        if let error = photo.error, !hasPicture, !photo.isEmpty {
            return .failed(delegate?.photoBrowser(self, messageFor: error, at: deck.index) ?? "\(error)")
        }
        if photo.isVideo { return .video }
        // A picture that only becomes sharper needs no sign.
        let isWaiting = photo.isLoading && (photo.underlyingImage?.metadata.isIncremental ?? true)
        return isWaiting ? .loading(photo.progress) : .none
    }
}
