import CGtk4
import FoundationEssentials
import WebImage

/// The bars, their commands, and the focus of the keyboard.
extension PhotoBrowser: BrowserPanelsDelegate {
    /// Whether the bars and the caption are visible.
    public var areControlsVisible: Bool { panels.areControlsVisible }

    /// Shows the bars, and hides them after ``delayToHideElements``.
    public func showControls() { panels.showControls() }

    /// Hides the bars, unless they are to stay: in the grid, without photos, and with ``alwaysShowControls``.
    public func hideControls() { panels.hideControls() }

    func toggleControls() { areControlsVisible ? hideControls() : showControls() }

    var isPictureFlying: Bool { screen.isClosing || pages.flight.isFlying }

    var isPressed: Bool { input?.isPressed ?? false }

    // MARK: Commands

    func perform(_ command: BrowserControls.Command) {
        guard pages.deck.current?.inputIsHeld != true || command == .close else { return }
        switch command {
        case .close: isGridVisible && (!startOnGrid || !screen.isTaken) ? hideGrid() : finish()
        case .toggleGrid: isGridVisible ? hideGrid() : showGrid()
        case .previous: showPreviousPhoto(animated: false)
        case .next: showNextPhoto(animated: false)
        case .action: showActions()
        case .toggleSelection: toggleSelection(at: pages.deck.index)
        case .toggleFullScreen: screen.fullScreen.toggle()
        case .turn:
            pages.deck.current?.turn()
            pages.deck.sharpen()
        }
        panels.releaseControls()
    }

    /// Selects a photo, or no longer. The delegate keeps the selection.
    func toggleSelection(at index: Int) {
        guard let delegate, index < numberOfPhotos else { return }
        let isSelected = delegate.photoBrowser(self, isPhotoSelectedAt: index)
        delegate.photoBrowser(self, photoAt: index, selectedChanged: !isSelected)
        updateControls()
    }

    /// The person wants to leave the browser, which the delegate may prevent.
    func finish() {
        guard isPresented else { return }
        if delegate?.photoBrowserDidFinishPresentation(self) == true { return }
        dismiss()
    }

    // MARK: Content

    /// The title of the page, or of the grid.
    public var title: String {
        let count = numberOfPhotos
        guard !isGridVisible else { return PhotoTitles.grid(count: count, isSelecting: displaySelectionButtons) }
        guard count > 1 else { return "" }
        return delegate?.photoBrowser(self, titleAt: pages.deck.index) ?? PhotoTitles.page(pages.deck.index, of: count)
    }

    func updateControls() {
        guard screen.wasMapped || screen.isTaken || gtk_widget_get_mapped(widget) != 0 else { return }
        let (count, photo) = (numberOfPhotos, currentPhoto)
        var content = BrowserControls.Content()
        content.title = title
        content.canClose = screen.isTaken
        content.hasGrid = hasGrid
        content.isGridShown = isGridVisible
        content.hasArrows = displayNavArrows && count > 1
        content.hasNext = pages.deck.position.hasNext
        content.hasPrevious = pages.deck.position.hasPrevious
        content.hasAction = displayActionButton && !(photo?.isEmpty ?? true)
        content.canAct = photo?.underlyingImage != nil
        if displaySelectionButtons, count > 0 {
            content.isSelected = delegate?.photoBrowser(self, isPhotoSelectedAt: pages.deck.index) ?? false
        }
        if let icon = customImageSelectedIconName { content.selectedIcon = icon }
        content.caption = captionOfDelegate.map { .widget($0) } ?? photo?.caption.map { .text($0) }
        panels.show(content, isPinned: alwaysShowControls || isGridVisible || count == 0)
        pages.stage.setAccessibleLabel(accessibleLabel)
    }

    /// Asked once for each change of the photo.
    private var captionOfDelegate: UnsafeMutablePointer<GtkWidget>? {
        guard numberOfPhotos > 0 else { return nil }
        let index = pages.deck.index
        if let ownCaption, ownCaption.index == index { return ownCaption.widget }
        let widget = delegate?.photoBrowser(self, captionViewAt: index)
        ownCaption = (index, widget)
        return widget
    }

    /// The text that a screen reader says about the page.
    private var accessibleLabel: String {
        let name = currentPhoto.flatMap { $0.caption ?? $0.name ?? $0.url?.lastPathComponent } ?? "Photo"
        let title = PhotoTitles.page(pages.deck.index, of: numberOfPhotos)
        return title.isEmpty ? name : "\(name), \(title)"
    }

    // MARK: Focus

    /// The focus of the keyboard is on the pages, unless the person moves it by keys.
    func focusPages() { gtk_widget_grab_focus(isGridVisible ? panels.grid?.view ?? pages.stage : pages.stage) }
}
