// What README.md shows, compiled. A test compares the two, so neither changes alone.

// snippet: view
import CGtk4
import Foundation
import WebImage
import WebImageGTK

@MainActor
func show(_ url: URL, in picture: UnsafeMutablePointer<GtkWidget>, size: Int) {
    var context = WebImageContext()
    let scale = Int(gtk_widget_get_scale_factor(picture))
    context.thumbnailPixelSize = PixelSize(width: size * scale, height: size * scale)

    // Fades in when it comes from the network; a cached picture is there at once.
    PictureView(picture).transitionFadeLoadImage(url, context: context)
}

@MainActor
func showOrExplain(_ url: URL, in picture: UnsafeMutablePointer<GtkWidget>, label: OpaquePointer) {
    PictureView(picture).setImage(with: url, options: .retryFailed) { result in
        if case .failure(let error) = result { gtk_label_set_text(label, "\(error)") }
    }
}
// end
