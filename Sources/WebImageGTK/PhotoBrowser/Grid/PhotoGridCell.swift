import CGtk4
import FoundationEssentials
import WebImage

/// One thumbnail of a browser's grid. Its widget owns it.
final class PhotoGridCell {
    let widget: UnsafeMutablePointer<GtkWidget> = gtk_overlay_new()
    let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
    private let tick = BrowserButton.make("radio-symbolic", "Select")
    let sign: UnsafeMutablePointer<GtkWidget> = gtk_image_new()
    private(set) var index = -1
    private weak var browser: PhotoBrowser?
    private var photo: Photo?
    /// Whether the photo was loaded for this cell.
    private var ownsLoad = false
    private static let key = "webimage-grid-cell"

    init() {
        gtk_overlay_set_child(OpaquePointer(widget), picture)
        gtk_overlay_add_overlay(OpaquePointer(widget), sign)
        gtk_overlay_add_overlay(OpaquePointer(widget), tick)
        gtk_widget_add_css_class(tick, "tick")
        gtk_widget_set_size_request(tick, 44, 44)
        gtk_widget_set_halign(tick, GTK_ALIGN_END)
        gtk_widget_set_valign(tick, GTK_ALIGN_START)
        gtk_widget_set_can_target(sign, 0)
        gtk_image_set_pixel_size(OpaquePointer(sign), 32)
        view.contentFit = .cover
        view.imageIndicator = CircularProgressIndicator.medium
        connect(UnsafeMutableRawPointer(tick), "clicked") { [weak self] in self?.toggle() }
        _ = AssociatedObject.of(Self.key, on: widget) { self }
    }

    var view: PictureView { PictureView(picture) }

    static func of(_ item: OpaquePointer) -> PhotoGridCell? {
        gtk_list_item_get_child(item).flatMap { AssociatedObject.find(key, on: $0) }
    }

    func setSide(_ side: Int) { view.fixedSize = PointSize(width: Double(side), height: Double(side)) }

    /// Shows another photo, or another one of the same index.
    func bind(_ index: Int, of browser: PhotoBrowser) {
        letGo()
        self.index = index
        self.browser = browser
        let photo = browser.photos.thumbnail(at: index)
        self.photo = photo
        setSign(photo?.isVideo == true ? "media-playback-start-symbolic" : nil, inCorner: true)
        picture.setAccessibleLabel(name)
        // GTK's own widget around this one has the focus.
        gtk_widget_get_parent(widget)?.setAccessibleLabel(name)
        updateSelection(browser)
        show(photo)
    }

    /// The cell is scrolled away: it loads nothing any more.
    func unbind() {
        index = -1
        letGo()
    }

    /// Lets go of the photo; the index stays.
    func letGo() {
        photo?.stopObserving(as: self)
        // A page may show it, too.
        if ownsLoad, photo?.isObserved == false { photo?.unloadUnderlyingImage() }
        ownsLoad = false
        photo = nil
        view.cancelCurrentImageLoad()
        view.image = nil
    }

    func updateSelection(_ browser: PhotoBrowser) {
        tick.setVisible(browser.displaySelectionButtons)
        guard browser.displaySelectionButtons, index >= 0 else { return }
        let isSelected = browser.delegate?.photoBrowser(browser, isPhotoSelectedAt: index) ?? false
        let icon = browser.customImageSelectedSmallIconName ?? "object-select-symbolic"
        BrowserButton.setIcon(isSelected ? icon : "radio-symbolic", of: tick)
        BrowserButton.name(tick, isSelected ? "Deselect" : "Select", of: name)
    }

    /// As a screen reader says it.
    private var name: String {
        photo.flatMap { $0.caption ?? $0.name ?? $0.url?.lastPathComponent } ?? "Photo \(index + 1)"
    }

    private func show(_ photo: Photo?) {
        guard let photo, !photo.isEmpty else { return view.image = nil }
        if let image = photo.underlyingImage { return view.image = image }
        if let url = photo.url {
            view.setImage(with: url, options: photo.options, context: photo.context) { [weak self, index] result in
                switch result {
                case .success: self?.browser?.pages.deck.thumbnailHasCome(at: index)
                case .failure(let error) where !error.isCancelled: self?.setSign("image-missing-symbolic")
                case .failure: break
                }
            }
            return
        }
        photo.observe(as: self) { [weak self, weak photo] update in
            guard let self, let photo, photo === self.photo, case .loadingDidEnd = update else { return }
            view.image = photo.underlyingImage
            if photo.underlyingImage == nil { setSign("image-missing-symbolic") }
        }
        ownsLoad = true
        photo.loadUnderlyingImage()
        view.image = photo.underlyingImage
    }

    private func setSign(_ icon: String?, inCorner: Bool = false) {
        sign.setVisible(icon != nil)
        let place = inCorner ? GTK_ALIGN_END : GTK_ALIGN_CENTER
        gtk_widget_set_halign(sign, place)
        gtk_widget_set_valign(sign, place)
        let margin: gint = inCorner ? 10 : 0
        gtk_widget_set_margin_end(sign, margin)
        gtk_widget_set_margin_bottom(sign, margin)
        if let icon { gtk_image_set_from_icon_name(OpaquePointer(sign), icon) }
    }

    private func toggle() {
        guard let browser, index >= 0 else { return }
        browser.toggleSelection(at: index)
        updateSelection(browser)
    }
}
