import CGtk4
import FoundationEssentials
import WebImage

/// The actions on the current photo.
extension PhotoBrowser {
    /// The button for actions: the app's own doing, or a menu.
    func showActions() {
        guard displayActionButton, currentPhoto?.underlyingImage != nil else { return }
        if delegate?.photoBrowser(self, actionButtonPressedAt: pages.deck.index) == true { return }
        panels.openMenu([
            ("Save…", { [weak self] in self?.saveCurrentPhoto() }),
            ("Copy", { [weak self] in self?.copyCurrentPhoto() }),
            ("Open With…", { [weak self] in self?.openCurrentPhoto() }),
            ("Print…", { [weak self] in self?.printCurrentPhoto() }),
            ("Send by Mail…", { [weak self] in self?.shareCurrentPhoto() }),
        ])
    }

    /// Asks for a place, and writes the file of the current photo there: the bytes that were loaded, where they are known.
    public func saveCurrentPhoto() {
        guard let photo = currentPhoto, let picture = photo.underlyingImage else { return }
        // The browser may be closed, and the photo let go of, before the person has chosen.
        SaveDialog.open(over: widget, name: photo.fileName) { [self] in save(photo, picture, at: $0) }
    }

    func save(_ photo: Photo, _ picture: Image, at place: WritablePlace) {
        withFile(of: photo, picture) { [weak self] data in
            place.write(data) { problem in
                self?.pages.show(notice: problem.map { "The photo was not saved: \($0)" } ?? "Saved")
            }
        }
    }

    /// Puts the picture of the current photo onto the clipboard.
    public func copyCurrentPhoto() {
        withFullPicture { [weak self] image in
            guard let self, let clipboard = gtk_widget_get_clipboard(widget) else { return }
            let texture = image.makeTexture()
            gdk_clipboard_set_texture(clipboard, texture)
            g_object_unref(UnsafeMutableRawPointer(texture))
            pages.show(notice: "Copied")
        }
    }

    /// Opens the current photo in another app, which the person chooses.
    public func openCurrentPhoto() {
        guard let photo = currentPhoto, photo.underlyingImage != nil else { return }
        withTemporaryFile(of: photo) { [weak self] path in
            DesktopPortal.open(path) { problem in if let problem { self?.pages.show(notice: problem) } }
        }
    }

    /// Sends the current photo by mail, as the desktop does it.
    public func shareCurrentPhoto() {
        guard let photo = currentPhoto, photo.underlyingImage != nil else { return }
        withTemporaryFile(of: photo) { [weak self] path in
            DesktopPortal.mail(path, subject: photo.caption ?? photo.fileName) { problem in
                if let problem { self?.pages.show(notice: problem) }
            }
        }
    }

    /// Prints the current photo, as large as the page allows.
    public func printCurrentPhoto() {
        withFullPicture { [weak self] image in
            guard let self else { return }
            PhotoPrint.run(image, over: widget) { [weak self] problem in self?.pages.show(notice: problem) }
        }
    }

    /// The current photo with all pixels of its file, turned as it is on its page.
    private func withFullPicture(_ body: @escaping (Image) -> Void) {
        guard let page = pages.deck.current, let shown = page.photo.underlyingImage else { return }
        let angle = -Double(page.quarterTurns) * .pi / 2
        let hint = hintAtPreparing()
        Task { [weak self] in
            let full = (try? await page.photo.fullImage()) ?? shown
            let turned = angle == 0 ? full : await Task.detached { full.rotated(by: angle) ?? full }.value
            hint.cancel()
            self?.pages.hideNotice()
            body(turned)
        }
    }

    // MARK: Files

    /// Says so when it takes longer than two seconds, unless it is cancelled.
    private func hintAtPreparing() -> any CancellableTask {
        clock.call(at: clock.now + .seconds(2)) { [weak self] in self?.pages.show(notice: "Preparing", stays: true) }
    }

    private func withFile(of photo: Photo, _ picture: Image? = nil, _ body: @escaping (Data) -> Void) {
        let hint = hintAtPreparing()
        Task { [weak self] in
            defer { hint.cancel() }
            do {
                let data = try await photo.fileData(of: picture)
                self?.pages.hideNotice()
                body(data)
            } catch {
                self?.pages.show(notice: "\(error)")
            }
        }
    }

    /// A copy with a name that says what it is. The desktop removes it with all other temporary files.
    private func withTemporaryFile(of photo: Photo, _ body: @escaping (String) -> Void) {
        if let url = photo.url, url.isFileURL { return body(url.path) }
        withFile(of: photo) { [weak self] data in
            let folder = FileManager.default.temporaryDirectory.appending(path: "photos-\(UUID().uuidString)")
            let file = folder.appending(path: photo.fileName)
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try data.write(to: file)
                body(file.path)
            } catch {
                self?.pages.show(notice: "The photo could not be written: \(error)")
            }
        }
    }
}
