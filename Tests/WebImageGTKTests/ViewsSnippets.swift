// The code of Docs/Views.md and of the symbols of views, compiled. A test compares the two, so neither changes alone.

import CGtk4
import Foundation
import WebImage
import WebImageGTK

private typealias Widget = UnsafeMutablePointer<GtkWidget>

private let avatar = URL(string: "https://example.org/ada.jpg")
private let waving = URL(string: "https://example.org/ada-waving.jpg")
private let paper = URL(string: "https://example.org/paper.jpg")

@MainActor
private func calls(picture: Widget, silhouette: Image) {
    PictureView(picture).setImage(with: avatar, placeholder: silhouette, transition: .fade)

    let view = PictureView(picture)
    view.imageIndicator = ActivityIndicator.large
    view.setImage(with: avatar, placeholder: silhouette, transition: .fade) { result in
        if case .failure(let error) = result { gtk_widget_set_tooltip_text(picture, "\(error)") }
    }
    view.cancelCurrentImageLoad()
}

@MainActor
private func arguments(of view: PictureView) {
    func show(_ fraction: Double?) {}
    func show(_ result: Result<LoadResult, WebImageError>) {}

    view.setImage(with: avatar, transformer: .pipeline([.resize(width: 64, height: 64), .roundedCorners(radius: 32)]))
    view.setImage(with: avatar, progress: { bytes in show(bytes.fractionCompleted) }) { result in
        show(result)
    }
}

@MainActor
private func migrated(_ view: PictureView, url: URL, icon: Image) {
    func show(_ image: Image, from cacheType: ImageCacheType) {}

    view.setImage(
        with: url, placeholder: icon, transformer: .roundedCorners(radius: 8), transition: .fade, options: .retryFailed
    ) { result in
        if case .success(let success) = result { show(success.image, from: success.cacheType) }
    }

    view.setImage(with: url) { image, error, cacheType, url in
        if let image { show(image, from: cacheType) }
    }
}

@MainActor
private func previews(in view: PictureView, photo: URL, thumbnail: String) {
    view.setImage(with: photo, preview: .address(thumbnail), transition: .fade)
    view.setImage(with: photo, preview: .pixelSize(PixelSize(width: 64, height: 64)))

    view.setImage(with: photo, preview: .address(thumbnail))
    view.setImage(with: photo, preview: .pixelSize(PixelSize(width: 64, height: 64)))
}

@MainActor
private func externalCompletion(of view: PictureView, in picture: Widget) {
    view.setImage(with: avatar) { image, error, cacheType, url in
        if let error { gtk_widget_set_tooltip_text(picture, "\(error)") }
    }
}

@MainActor
private func failures(in view: PictureView, of picture: Widget, silhouette: Image) {
    view.errorImage = Image(iconNamed: "image-missing-symbolic", size: 48, for: picture)
    view.setImage(with: avatar, placeholder: silhouette)

    view.reload(options: .retryFailed)
    view.reload(options: .refreshCached)

    PictureView(picture).errorImage = Image(iconNamed: "image-missing-symbolic", size: 48, for: picture)
}

@MainActor
private func indicators(of view: PictureView, label: Widget) {
    view.imageIndicator = ActivityIndicator.large
    view.imageIndicator = CircularProgressIndicator.large
    view.imageIndicator = ProgressIndicator.bar
    view.imageIndicator = CustomIndicator(label) { progress in
        gtk_label_set_text(OpaquePointer(label), "\(Int(progress * 100)) %")
    }
}

@MainActor
private func turned(_ view: PictureView) {
    view.setImage(with: avatar, transition: .flipFromLeft)
}

@MainActor
private func inAList(_ view: PictureView) {
    view.setImage(with: avatar, options: .lowPriority)
}

@MainActor
private func background(_ application: UnsafeMutablePointer<GtkApplication>, view: PictureView) {
    WebImageManager.shared.continueInBackground(holding: application)
    view.setImage(with: avatar, options: .continueInBackground)
}

@MainActor
private func highlighted(picture: Widget) {
    let view = PictureView(picture)
    view.setImage(with: avatar)
    view.setHighlightedImage(with: waving)
    view.isHighlighted = true
}

@MainActor
private func image(_ image: Widget) {
    gtk_image_set_pixel_size(OpaquePointer(image), 32)
    ImageView(image).setImage(with: avatar)
}

@MainActor
private func states(of widget: Widget, silhouette: Image) {
    let button = ButtonView(widget)
    button.setImage(with: avatar, for: .normal, placeholder: silhouette)
    button.setImage(with: waving, for: .prelight)
    button.setImage(with: waving, for: [.checked, .prelight])
    button.setBackgroundImage(with: paper)

    button.imageView(for: .insensitive).setImage(with: "https://example.org/asleep.jpg")
    button.cancelImageLoad(for: .prelight)
}

@MainActor
private func alternate(of widget: Widget) {
    let button = ButtonView(widget)
    button.setImage(with: avatar)
    button.setAlternateImage(with: waving)
}

@MainActor
private func within(_ button: ButtonView) {
    button.fixedSize = PointSize(width: 48, height: 48)
    button.contentFit = .cover
    button.backgroundView(for: .normal).contentFit = .cover
}

@MainActor
private func sizes(avatar: Widget, header: Widget, button: ButtonView, url: URL?, silhouette: Image) -> [WebImageView] {
    PictureView(avatar).fixedSize = PointSize(width: 48, height: 48)
    PictureView(header).fixedSize = PointSize(width: 0, height: 220)

    button.fixedSize = PointSize(width: 48, height: 48)

    button.backgroundView(for: .normal).contentFit = .cover

    return makeViews(url: url, silhouette: silhouette)
}

@MainActor
private func makeViews(url: URL?, silhouette: Image) -> [WebImageView] {
    let avatar = WebImageView(url, size: PointSize(width: 48, height: 48), placeholder: silhouette)
    let header = WebImageView(url, size: PointSize(width: 0, height: 220))  // as wide as its container
    return [avatar, header]
}

@MainActor
private func rowSizes(_ item: OpaquePointer) {
    // In the factory's "setup" or "bind":
    ListRowView(listItem: item)?.fixedSize = PointSize(width: 48, height: 48)
}

@MainActor
private func exactSizes(picture: Widget, header: Widget, box: UnsafeMutablePointer<GtkBox>) {
    let avatarView = WebImageView(avatar, size: PointSize(width: 48, height: 48))
    gtk_box_append(box, avatarView.widget)

    PictureView(picture).fixedSize = PointSize(width: 48, height: 48)
    PictureView(picture).contentFit = .cover
    PictureView(header).fixedSize = PointSize(width: 0, height: 220)  // as wide as its container
}

@MainActor
private func placeholders(of view: PictureView) {
    view.setImage(with: avatar, placeholder: .thumbHash(base64: "1QcSHQRnh493V4dIh4eXh1h4kJUI"))
    view.setImage(with: avatar, placeholder: .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj", aspectRatio: 1.5))
    view.setImage(with: avatar, placeholder: .color(RGBAColor(red: 52, green: 62, blue: 82)))
    view.setImage(with: avatar, placeholder: .cachedHash)
}

@MainActor
private func fitOfPlaceholders(picture: Widget) {
    PictureView(picture).contentFit = .cover
    PictureView(picture).placeholderContentFit = .always(.scaleDown)
}

@MainActor
private func entry(_ entry: Widget, favicon: URL?) {
    EntryIconView(entry, at: .primary).setImage(with: favicon)
}

@MainActor
private func rows(box row: Widget, bound item: OpaquePointer, urls: [URL]) {
    ListRowView(row).setImage(with: avatar)

    // In the handler of a GtkSignalListItemFactory's "bind":
    let url = urls[Int(gtk_list_item_get_position(item))]
    ListRowView(listItem: item)?.setImage(with: url)
}

@MainActor
private func anyWidget(_ button: Widget, dragSource: OpaquePointer) {
    AnyWidgetView(button).setImage(with: avatar) { image, _, _, _ in
        let texture = image?.makeTexture()
        gtk_drag_source_set_icon(dragSource, texture, 0, 0)
        if let texture { g_object_unref(UnsafeMutableRawPointer(texture)) }
    }
}

@MainActor
private func round(_ picture: UnsafeMutablePointer<GtkWidget>) {
    PictureView(picture).contentFit = .cover
    PictureView(picture).cornerRadius = 12
}

@MainActor
private func ready(in box: UnsafeMutablePointer<GtkBox>, silhouette: Image) {
    let portrait = WebImageView()
    portrait.placeholder = silhouette
    portrait.contentFit = .cover
    portrait.cornerRadius = 12
    portrait.imageTransition = .fade
    portrait.imageIndicator = ActivityIndicator.large
    portrait.imageAccessibleLabel = "Ada Lovelace"
    portrait.url = avatar
    gtk_box_append(box, portrait.widget)
}

@MainActor
private func opaque(_ pointer: OpaquePointer) {
    ButtonView(pointer).setImage(with: avatar)
}

// MARK: - Examples of symbols

@MainActor
private func exampleOfPictures(grey: Image) {
    // swift-format-ignore: NeverForceUnwrap
    let picture = gtk_picture_new()!
    PictureView(picture).setImage(with: URL(string: "https://example.org/a.jpg"), placeholder: grey)
}

@MainActor
private func examplesOfProperties(_ picture: Widget) {
    PictureView(picture).imageTransition = .fade
    PictureView(picture).imageIndicator = CircularProgressIndicator.large
    PictureView(picture).imageIndicator = ActivityIndicator.large
}

@MainActor
private func exampleOfImages() {
    // swift-format-ignore: NeverForceUnwrap
    let avatar = gtk_image_new_from_icon_name("avatar-default-symbolic")!
    gtk_image_set_pixel_size(OpaquePointer(avatar), 32)
    ImageView(avatar).setImage(with: URL(string: "https://example.org/a.jpg"))
}

@MainActor
private func exampleOfButtons() {
    let button = ButtonView(gtk_button_new_with_label("Ada"))
    button.setImage(with: URL(string: "https://example.org/ada.jpg"))
    button.setImage(with: URL(string: "https://example.org/ada-waving.jpg"), for: .prelight)
}

@MainActor
private func exampleOfEntries(_ entry: Widget) {
    EntryIconView(entry, at: .primary).setImage(with: URL(string: "https://example.org/favicon.png"))
}

@MainActor
private func exampleOfRows(_ item: OpaquePointer, urls: [URL]) {
    func url(at position: UInt32) -> URL { urls[Int(position)] }
    // In the factory's "bind":
    ListRowView(listItem: item)?.setImage(with: url(at: gtk_list_item_get_position(item)))
}

@MainActor
private func exampleOfAnyWidget(_ area: Widget, url: URL) {
    var portrait: Image?
    defer { _ = portrait }
    AnyWidgetView(area).setImage(with: url) { image, _, _, _ in
        portrait = image
        gtk_widget_queue_draw(area)
    }
}

@MainActor
private func exampleOfAnOwnView(_ area: Widget, url: URL, draw: @escaping (Image?) -> Void) {
    struct Portrait: WidgetView {
        let widget: UnsafeMutablePointer<GtkWidget>
    }
    Portrait(widget: area).setImage(with: url, setImage: { image, _, _, _ in draw(image) })
}

@MainActor
private func exampleOfTheReadyWidget(_ box: UnsafeMutablePointer<GtkBox>, silhouette: Image) {
    let portrait = WebImageView()
    portrait.placeholder = silhouette
    portrait.contentFit = .cover
    portrait.cornerRadius = 12
    portrait.imageTransition = .fade
    portrait.imageIndicator = ActivityIndicator.large
    portrait.url = URL(string: "https://example.org/ada.jpg")
    gtk_box_append(box, portrait.widget)
}

@MainActor
private func exchange(_ image: Image, _ source: OpaquePointer, _ picture: Widget) -> Image? {
    let texture = image.makeTexture()
    gtk_drag_source_set_icon(source, texture, 0, 0)
    g_object_unref(UnsafeMutableRawPointer(texture))

    let missing = Image(iconNamed: "image-missing-symbolic", size: 48, for: picture)
    return missing
}

@MainActor
private func awaited(_ view: PictureView, _ url: URL) async throws -> Image {
    let result = try await view.loadImage(with: url, options: .retryFailed)
    return result.image
}

@MainActor
private func window(_ scroller: UnsafeMutablePointer<GtkWidget>) {
    PictureList(scroller).loadWindow = LoadWindow(behind: 2, ahead: 4)
}

private func watermark() -> WebImageContext {
    var context = WebImageContext()
    context.transformer = ImageTextTransformer("© Ada", font: "Sans Bold 14", at: .bottomRight)
    return context
}

@MainActor
private func resource() throws -> Image {
    let icon = try Image(resource: "/org/example/App/spinner")
    return icon
}

@MainActor
private func brightPicture(_ view: PictureView, _ url: URL) {
    DisplayColors.showsHighDynamicRange = true
    var options = ImageDecodeOptions()
    options.decodesToHDR = true
    view.setImage(with: url, context: WebImageContext { $0.decodeOptions = options })
}

@MainActor
private func widePicture(_ view: PictureView, _ url: URL) {
    var options = ImageDecodeOptions()
    options.decodesToWideGamut = DisplayColors.takesWideGamut
    view.setImage(with: url, context: WebImageContext { $0.decodeOptions = options })
}

// MARK: - Signals

@MainActor
private func signals(_ view: PictureView, _ button: Widget, _ factory: OpaquePointer, _ keys: OpaquePointer) {
    func bind(_ item: OpaquePointer) {}

    connect(button, "clicked") { view.reload(options: .retryFailed) }
    connect(factory, "bind") { (item: OpaquePointer) in bind(item) }

    connect(keys, "key-pressed") { (key: Int, code: Int, state: GdkModifierType) in key == Int(GDK_KEY_Escape) }
}

@MainActor
private func casts(_ application: UnsafeMutablePointer<GtkApplication>) {
    let window = gtk_application_window_new(application)
    gtk_window_set_title(cast(window), "List")
    gtk_window_present(cast(window))

    let label = gtk_label_new(nil)
    gtk_label_set_text(cast(label), "Ada")
}

@MainActor
private func setUp(_ window: Widget, _ picture: Widget, _ keys: OpaquePointer) {
    gtk_window_set_child(cast(window), picture)
    connect(window, "destroy") { print("closed") }
    connect(keys, "key-pressed") { (key: Int) in key == Int(GDK_KEY_Escape) }
}
