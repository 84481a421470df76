import WebImage

/// The commands of the buttons and the keys.
extension PhotoBrowser {
    func perform(_ command: BrowserControls.Command) {
        guard deck.current?.inputIsHeld != true || command == .close else { return }
        switch command {
        case .close: isGridVisible && (!startOnGrid || presentation == nil) ? hideGrid() : finish()
        case .toggleGrid: isGridVisible ? hideGrid() : showGrid()
        case .previous: showPreviousPhoto(animated: false)
        case .next: showNextPhoto(animated: false)
        case .action: showActions()
        case .toggleSelection: toggleSelection(at: deck.index)
        case .toggleFullScreen: fullScreen.toggle()
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

    /// The person wants to leave the browser, which the delegate may prevent.
    func finish() {
        guard isPresented else { return }
        if delegate?.photoBrowserDidFinishPresentation(self) == true { return }
        dismiss()
    }
}
