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
        guard menu == nil else { return }
        visibility.restartTimer(at: clock.now, for: delayToHideElements)
        applyVisibility()
    }

    /// What the controls say has changed: their time begins anew.
    private func renewControls() {
        visibility.isPinned = alwaysShowControls || isGridVisible || numberOfPhotos == 0
        // The time stands still during a drag and while a menu is open.
        if !visibility.isPinned, menu == nil, input?.isPressed != true {
            visibility.restartTimer(at: clock.now, for: delayToHideElements)
        }
        applyVisibility()
    }

    private func applyVisibility() {
        controls.setVisible(visibility.isVisible && !isPictureFlying)
        hidingCall?.cancel()
        hidingCall = visibility.deadline.map { deadline in
            clock.call(at: deadline) { [weak self] in
                guard let self else { return }
                visibility.pass(to: clock.now)
                applyVisibility()
            }
        }
    }

    /// Whether the picture is between its thumbnail and its page: nothing lies over it then.
    private var isPictureFlying: Bool {
        presentation?.isClosing == true || (flight.isRunning && !flight.isDragging)
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
    var hasGrid: Bool { (enableGrid || startOnGrid) && numberOfPhotos > 0 && photos.thumbnail(at: 0) != nil }

    func updateControls() {
        guard wasMapped || presentation != nil || gtk_widget_get_mapped(widget) != 0 else { return }
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
        content.caption = captionOfDelegate.map { .widget($0) } ?? photo?.caption.map { .text($0) }
        keepFocus(of: controls.top, controls.bottom) { controls.content = content }
        stage.setAccessibleLabel(accessibleLabel)
        renewControls()
    }

    /// Asked once for each change of the photo.
    private var captionOfDelegate: UnsafeMutablePointer<GtkWidget>? {
        guard numberOfPhotos > 0 else { return nil }
        if let ownCaption, ownCaption.index == deck.index { return ownCaption.widget }
        let widget = delegate?.photoBrowser(self, captionViewAt: deck.index)
        ownCaption = (deck.index, widget)
        return widget
    }

    /// What a screen reader says about the page.
    var accessibleLabel: String {
        let name = currentPhoto.flatMap { $0.caption ?? $0.name ?? $0.url?.lastPathComponent } ?? "Photo"
        let title = PhotoTitles.page(deck.index, of: numberOfPhotos)
        return title.isEmpty ? name : "\(name), \(title)"
    }

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
        if let error = photo.error, !hasPicture, !photo.isEmpty { return .failed("\(error)") }
        if photo.isVideo { return .video }
        // A picture that only becomes sharper needs no sign.
        let isWaiting = photo.isLoading && (photo.underlyingImage?.metadata.isIncremental ?? true)
        return isWaiting ? .loading(photo.progress) : .none
    }

    // MARK: Commands

    func perform(_ command: BrowserControls.Command) {
        guard deck.current?.inputIsHeld != true || command == .close else { return }
        switch command {
        case .close: isGridVisible && (!startOnGrid || presentation == nil) ? hideGrid() : finish()
        case .toggleGrid: isGridVisible ? hideGrid() : showGrid()
        case .previous: showPreviousPhoto(animated: false)
        case .next: showNextPhoto(animated: false)
        case .action: showActions()
        case .toggleSelection: toggleSelection(at: deck.index)
        case .toggleFullScreen: toggleFullScreen()
        case .turn:
            deck.current?.turn()
            deck.sharpen()
        }
        // A menu holds the controls until it is closed.
        if menu == nil { releaseControls() }
    }

    /// Selects a photo, or no longer. The delegate keeps the selection.
    func toggleSelection(at index: Int) {
        guard let delegate, index < numberOfPhotos else { return }
        let isSelected = delegate.photoBrowser(self, isPhotoSelectedAt: index)
        delegate.photoBrowser(self, photoAt: index, selectedChanged: !isSelected)
        updateControls()
    }

    /// The widget is in another window, or in none. The window manager may end the full screen, too.
    func watchFullScreen() {
        leaveFullScreen()
        watched?.connections.cut()
        watched = widget.window.map { window in
            let connections = SignalConnections(window)
            connections.add("notify::fullscreened") { [weak self] in
                if gtk_window_is_fullscreen(window) == 0 { self?.hasFilledScreen = false }
            }
            return (window, connections)
        }
    }

    private func toggleFullScreen() {
        guard let window = widget.window else { return }
        hasFilledScreen = gtk_window_is_fullscreen(window) == 0
        hasFilledScreen ? gtk_window_fullscreen(window) : gtk_window_unfullscreen(window)
    }

    /// The window becomes what it was before the browser has filled the screen.
    func leaveFullScreen() {
        guard hasFilledScreen else { return }
        hasFilledScreen = false
        guard let window = watched?.window else { return }
        let object = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWidget.self)
        if gtk_widget_in_destruction(object) == 0 { gtk_window_unfullscreen(window) }
    }

    /// The person wants to leave the browser, which the delegate may prevent.
    func finish() {
        guard isPresented else { return }
        if delegate?.photoBrowserDidFinishPresentation(self) == true { return }
        dismiss()
    }
}
