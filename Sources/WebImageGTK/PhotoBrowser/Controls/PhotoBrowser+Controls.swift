import CGtk4
import FoundationEssentials
import WebImage

/// The bars, and the time after which they hide.
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

    /// Begins the time of the controls anew, since their content has changed.
    private func renewControls() {
        visibility.isPinned = alwaysShowControls || isGridVisible || numberOfPhotos == 0
        // The time stands still during a drag and while a menu is open.
        if !visibility.isPinned, menu == nil, input?.isPressed != true {
            visibility.restartTimer(at: clock.now, for: delayToHideElements)
        }
        applyVisibility()
    }

    func applyVisibility() {
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

    /// The text that a screen reader says about the page.
    var accessibleLabel: String {
        let name = currentPhoto.flatMap { $0.caption ?? $0.name ?? $0.url?.lastPathComponent } ?? "Photo"
        let title = PhotoTitles.page(deck.index, of: numberOfPhotos)
        return title.isEmpty ? name : "\(name), \(title)"
    }
}
