import CGtk4
import WebImage

/// The pictures of one button, and the widgets within it that show them. The app's own widgets keep their place.
final class ButtonContents {
    let images = PaintableSwitch()
    let backgrounds = PaintableSwitch()

    /// The button with the states and the child; within a `GtkMenuButton`, that is its internal button.
    private let button: UnsafeMutablePointer<GtkWidget>
    private let menuButton: UnsafeMutablePointer<GtkWidget>?
    /// Created by this object, as the button's child or beside it. It is destroyed when the app gives the button
    /// another child.
    private var madeImage: UnsafeMutablePointer<GtkWidget>?
    private var backgroundHolder: UnsafeMutablePointer<GtkWidget>?
    private var isGone = false
    private var wishes = Wishes()

    /// The app's wishes for the pictures, also for those in a widget that does not exist yet.
    private struct Wishes {
        var fixedSize: PointSize?
        var contentFit: ContentFit?
    }

    private static let key = "webimage-button"

    /// The contents of the button that `widget` is or contains.
    static func of(_ widget: UnsafeMutablePointer<GtkWidget>) -> ButtonContents {
        let isMenuButton = widget.isA(gtk_menu_button_get_type())
        let button = isMenuButton ? gtk_widget_get_first_child(widget) ?? widget : widget
        return AssociatedObject.of(key, on: button) {
            ButtonContents(button, menuButton: isMenuButton ? widget : nil)
        }
    }

    /// The contents of `button`; nil when it never had any.
    static func find(_ button: UnsafeMutablePointer<GtkWidget>) -> ButtonContents? {
        AssociatedObject.find(key, on: button)
    }

    private init(_ button: UnsafeMutablePointer<GtkWidget>, menuButton: UnsafeMutablePointer<GtkWidget>?) {
        self.button = button
        self.menuButton = menuButton
        // Weak: a menu button's inner widgets are destroyed before its loads are.
        images.surface = { [weak self] in self?.imageWidget(isNeeded: $0)?.picturePlace }
        images.choices = { [weak self] in self.map { ButtonPlace.images(for: $0.state).map(\.key) } ?? [] }
        backgrounds.surface = { [weak self] in self?.backgroundWidget(isNeeded: $0)?.picturePlace }
        backgrounds.choices = { [weak self] in self.map { ButtonPlace.backgrounds(for: $0.state).map(\.key) } ?? [] }
        let object = UnsafeMutableRawPointer(button)
        connect(object, "state-flags-changed") { [weak self] in
            self?.images.update()
            self?.backgrounds.update()
        }
        connect(object, "notify::child") { [weak self] in self?.images.update() }
        // The app may have replaced GTK's own layout manager and restored it now.
        connect(object, "notify::layout-manager") { [weak self] in
            if self?.besideLabel != nil { ButtonLayout.install(on: button) }
        }
        connect(object, "destroy") { [weak self] in self?.leave() }
    }

    /// The current state of the button.
    var state: ButtonState { ButtonState(gtk_widget_get_state_flags(button)) }

    /// The widget that shows the pictures; nil while it does not exist and is not needed.
    func imageWidget(isNeeded: Bool) -> UnsafeMutablePointer<GtkWidget>? {
        guard !isGone else { return nil }
        if let madeImage, gtk_widget_get_parent(madeImage) != nil { return madeImage }
        if let found = button.buttonChild?.firstPicture(orImage: true) { return found }
        guard isNeeded else { return nil }
        guard let child = button.buttonChild, !showsOwnArrow else { return makeChild() }
        return makeImage(beside: child)
    }

    /// The exact size of the pictures; nil for none.
    var fixedSize: PointSize? {
        get { imageWidget(isNeeded: false).flatMap { FixedSize.find($0) }?.size }
        set {
            wishes.fixedSize = newValue
            renewImageBesideLabel()
            if let widget = imageWidget(isNeeded: newValue != nil) { FixedSize.set(newValue, of: widget) }
        }
    }

    /// The way the pictures fit into their widget.
    var contentFit: ContentFit {
        get { imageWidget(isNeeded: true)?.pictureFit ?? .contain }
        set {
            wishes.contentFit = newValue
            imageWidget(isNeeded: true)?.pictureFit = newValue
        }
    }

    /// The widget that shows the backgrounds; nil while it does not exist and is not needed.
    func backgroundWidget(isNeeded: Bool) -> UnsafeMutablePointer<GtkWidget>? {
        if let backgroundHolder { return gtk_widget_get_first_child(backgroundHolder) }
        return isNeeded && !isGone ? makeBackground() : nil
    }

    /// The picture beside the app's label.
    var besideLabel: UnsafeMutablePointer<GtkWidget>? {
        madeImage.flatMap { $0 != button.buttonChild && gtk_widget_get_parent($0) == button ? $0 : nil }
    }

    /// Whether a menu button shows its default arrow, because the app has given it no child.
    private var showsOwnArrow: Bool {
        guard let menuButton else { return false }
        let pointer = OpaquePointer(menuButton)
        let text = gtk_menu_button_get_label(pointer).map { $0.pointee != 0 } ?? false
        return gtk_menu_button_get_child(pointer) == nil && gtk_menu_button_get_icon_name(pointer) == nil && !text
    }

    private func makeChild() -> UnsafeMutablePointer<GtkWidget>? {
        guard let picture = gtk_picture_new() else { return nil }
        fulfilWishes(on: picture)
        gtk_widget_add_css_class(button, "image-button")
        // Before the child is set, because the signal handler of that reads it.
        remember(picture)
        if let menuButton {
            gtk_menu_button_set_child(OpaquePointer(menuButton), picture)
        } else {
            gtk_button_set_child(UnsafeMutableRawPointer(button).assumingMemoryBound(to: GtkButton.self), picture)
        }
        return picture
    }

    private func makeImage(beside label: UnsafeMutablePointer<GtkWidget>) -> UnsafeMutablePointer<GtkWidget>? {
        guard let image = needsPicture ? gtk_picture_new() : gtk_image_new() else { return nil }
        fulfilWishes(on: image)
        remember(image)
        ButtonLayout.install(on: button)
        gtk_widget_insert_before(image, button, label)
        return image
    }

    /// A `GtkImage` is for icons: it is never larger than its `pixel-size`, and square.
    private var needsPicture: Bool { wishes.fixedSize != nil }

    private func fulfilWishes(on widget: UnsafeMutablePointer<GtkWidget>) {
        if let size = wishes.fixedSize { FixedSize.set(size, of: widget) }
        if let fit = wishes.contentFit { widget.pictureFit = fit }
    }

    /// Replaces the widget beside the label where it is of the wrong class.
    private func renewImageBesideLabel() {
        guard let besideLabel, besideLabel.isA(gtk_picture_get_type()) != needsPicture, let label = button.buttonChild
        else { return }
        images.update()
        // Before the old one goes, since the pictures tell the two apart by their addresses.
        _ = makeImage(beside: label)
        images.update()
        gtk_widget_unparent(besideLabel)
    }

    private func remember(_ image: UnsafeMutablePointer<GtkWidget>) {
        madeImage = image
        connect(UnsafeMutableRawPointer(image), "destroy") { [weak self] in
            if self?.madeImage == image { self?.madeImage = nil }
        }
    }

    private func makeBackground() -> UnsafeMutablePointer<GtkWidget>? {
        // An overlay without a main child requests no size for what lies over it.
        guard let holder = gtk_overlay_new(), let picture = gtk_picture_new() else { return nil }
        gtk_picture_set_content_fit(OpaquePointer(picture), GTK_CONTENT_FIT_FILL)
        gtk_overlay_add_overlay(OpaquePointer(holder), picture)
        gtk_widget_set_can_target(holder, 0)
        gtk_widget_insert_after(holder, button, nil)
        backgroundHolder = holder
        return picture
    }

    /// A destroyed button removes its own child only; GTK warns about all others.
    private func leave() {
        isGone = true
        if let besideLabel { gtk_widget_unparent(besideLabel) }
        if let backgroundHolder { gtk_widget_unparent(backgroundHolder) }
        madeImage = nil
        backgroundHolder = nil
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// The button's child: the app's, or GTK's for a label or an icon.
    var buttonChild: UnsafeMutablePointer<GtkWidget>? {
        guard isA(gtk_button_get_type()) else { return nil }
        return gtk_button_get_child(UnsafeMutableRawPointer(self).assumingMemoryBound(to: GtkButton.self))
    }
}
