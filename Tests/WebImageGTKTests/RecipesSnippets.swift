// The code of Docs/Recipes.md, compiled. A test compares the two, so neither changes alone.

import CGtk4
import Foundation
import WebImage
import WebImageGTK

private typealias Widget = UnsafeMutablePointer<GtkWidget>

private struct Post {
    let picture: URL
    let hash: String
}

@MainActor
private func offline(_ shown: [PictureView]) {
    func follow(_ monitor: OpaquePointer, pictures: @escaping () -> [PictureView]) {
        WebImageManager.shared.isOffline = g_network_monitor_get_network_available(monitor) == 0
        connect(monitor, "network-changed") { (isAvailable: Bool) in
            WebImageManager.shared.isOffline = !isAvailable
            guard isAvailable else { return }
            for view in pictures() where gtk_widget_has_css_class(view.widget, "webimage-failed") != 0 { view.reload() }
        }
    }

    follow(g_network_monitor_get_default(), pictures: { shown })
}

@MainActor
private func retryByClick(_ picture: Widget) {
    let click: OpaquePointer = gtk_gesture_click_new()
    connect(click, "released") {
        let hasFailed = gtk_widget_has_css_class(picture, "webimage-failed") != 0
        if hasFailed { PictureView(picture).reload(options: .retryFailed) }
    }
    gtk_widget_add_controller(picture, click)
    PictureView(picture).errorImage = Image(iconNamed: "view-refresh-symbolic", size: 48, for: picture)
}

@MainActor
private func feed(_ factory: OpaquePointer, _ model: OpaquePointer, posts: [Post]) {
    connect(factory, "bind") { (item: OpaquePointer) in
        guard let view = ListRowView(listItem: item) else { return }
        let post = posts[Int(gtk_list_item_get_position(item))]
        view.setImage(with: post.picture, placeholder: .thumbHash(base64: post.hash), transition: .fade)
    }
    let list = gtk_list_view_new(gtk_no_selection_new(model), factory)
    gtk_scrollable_set_vscroll_policy(cast(list), GTK_SCROLL_NATURAL)
}
