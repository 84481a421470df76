import CGtk4
import FoundationEssentials
import WebImage

/// The bars, the grid's button, and the time after which they hide.
extension PhotoBrowser {
    /// Whether the bars and the caption are visible.
    public var areControlsVisible: Bool { visibility.isVisible }

    /// Shows the bars, and hides them after ``delayToHideElements``.
    public func showControls() {
        visibility.show(at: clock.now, for: delayToHideElements)
        applyVisibility()
    }

    /// Hides the bars, unless they are to stay: in the grid, without photos, and with ``alwaysShowControls``.
    public func hideControls() {
        visibility.hide()
        applyVisibility()
    }

    func toggleControls() { visibility.isVisible ? hideControls() : showControls() }

    /// A drag or a zoom begins.
    func holdControls() {
        visibility.holdTimer()
        applyVisibility()
    }

    /// A drag or a zoom has ended.
    func releaseControls() {
        visibility.restartTimer(at: clock.now, for: delayToHideElements)
        applyVisibility()
    }

    func pinControls() {
        visibility.isPinned = alwaysShowControls || isGridVisible || numberOfPhotos == 0
        if !visibility.isPinned { visibility.restartTimer(at: clock.now, for: delayToHideElements) }
        applyVisibility()
    }

    private func applyVisibility() {
        controls.setVisible(visibility.isVisible)
        hidingCall?.cancel()
        hidingCall = visibility.deadline.map { deadline in
            clock.call(at: deadline) { [weak self] in
                guard let self, !isEnded else { return }
                visibility.pass(to: clock.now)
                applyVisibility()
            }
        }
    }

    // MARK: Content

    /// The title of the page, or of the grid.
    public var title: String {
        let count = numberOfPhotos
        guard !isGridVisible else { return PhotoTitles.grid(count: count, isSelecting: displaySelectionButtons) }
        guard count > 1 else { return "" }
        return delegate?.photoBrowser(self, titleAt: deck.index) ?? PhotoTitles.page(deck.index, of: count)
    }

    /// Whether the grid can be shown.
    var hasGrid: Bool { (enableGrid || startOnGrid) && numberOfPhotos > 0 && thumbPhoto(at: 0) != nil }

    func updateControls() {
        guard !isEnded, wasMapped || presentation != nil || gtk_widget_get_mapped(widget) != 0 else { return }
        let (count, photo) = (numberOfPhotos, currentPhoto)
        var content = BrowserControls.Content()
        content.title = title
        content.canClose = presentation != nil
        content.hasGrid = hasGrid
        content.isGridShown = isGridVisible
        content.hasArrows = displayNavArrows && count > 1
        content.hasNext = deck.position.hasNext
        content.hasPrevious = deck.position.hasPrevious
        content.hasAction = displayActionButton && !(photo?.isEmpty ?? true)
        content.canAct = photo?.underlyingImage != nil
        if displaySelectionButtons, count > 0 {
            content.isSelected = delegate?.photoBrowser(self, isPhotoSelectedAt: deck.index) ?? false
        }
        if let icon = customImageSelectedIconName { content.selectedIcon = icon }
        content.caption = photo?.caption
        let own = count > 0 ? delegate?.photoBrowser(self, captionViewAt: deck.index) : nil
        if own != nil { content.caption = nil }
        controls.content = content
        if let own { controls.setCaption(own) } else if controls.hasOwnCaption { controls.setCaption(nil) }
        stage.setAccessibleLabel(accessibleLabel)
        pinControls()
    }

    /// What a screen reader says about the page.
    var accessibleLabel: String {
        let name = currentPhoto.flatMap { $0.caption ?? $0.name ?? $0.url?.lastPathComponent } ?? "Photo"
        let title = PhotoTitles.page(deck.index, of: numberOfPhotos)
        return title.isEmpty ? name : "\(name), \(title)"
    }

    func updateStatus() {
        guard !isEnded else { return }
        status.content = statusContent
        stage.setAccessibleBusy(currentPhoto?.isLoading ?? false)
    }

    private var statusContent: PageStatus.Content {
        guard let photo = currentPhoto, video == nil, !isGridVisible else { return .none }
        let hasPicture = deck.current?.hasPicture ?? false
        if let error = photo.error, !hasPicture, !photo.isEmpty { return .failed("\(error)") }
        if photo.isVideo { return .video }
        // What is there is being made sharper: that needs no sign.
        let isWaiting = photo.isLoading && (photo.underlyingImage?.metadata.isIncremental ?? true)
        return isWaiting ? .loading(photo.progress) : .none
    }

    // MARK: Commands

    func perform(_ command: BrowserControls.Command) {
        guard deck.current?.inputIsHeld != true || command == .close else { return }
        switch command {
        case .close: isGridVisible && !startOnGrid ? hideGrid() : finish()
        case .toggleGrid: isGridVisible ? hideGrid() : showGrid()
        case .previous: showPreviousPhoto(animated: false)
        case .next: showNextPhoto(animated: false)
        case .action: showActions()
        case .toggleSelection: toggleSelection(at: deck.index)
        case .toggleFullScreen: toggleFullScreen()
        case .turn: deck.current?.turn()
        }
        releaseControls()
    }

    /// Selects a photo, or no longer. The delegate keeps the selection.
    func toggleSelection(at index: Int) {
        guard let delegate, index < numberOfPhotos else { return }
        let isSelected = delegate.photoBrowser(self, isPhotoSelectedAt: index)
        delegate.photoBrowser(self, photoAt: index, selectedChanged: !isSelected)
        updateControls()
    }

    private func toggleFullScreen() {
        guard let root = gtk_widget_get_root(widget) else { return }
        let window = UnsafeMutableRawPointer(root)
        guard window.isInstance(of: gtk_window_get_type()) else { return }
        let gtkWindow = window.assumingMemoryBound(to: GtkWindow.self)
        gtk_window_is_fullscreen(gtkWindow) != 0 ? gtk_window_unfullscreen(gtkWindow) : gtk_window_fullscreen(gtkWindow)
    }

    /// The person wants to leave.
    func finish() {
        guard presentation != nil else { return }
        if delegate?.photoBrowserDidFinishPresentation(self) == true { return }
        dismiss()
    }
}
