// What README.md shows, compiled. A test compares the two, so neither changes alone.

// snippet: view
import CGtk4
import Foundation
import WebImage
import WebImageGTK

@MainActor
func show(_ url: URL, in picture: UnsafeMutablePointer<GtkWidget>, placeholder: Image? = nil) {
    let view = PictureView(picture)
    view.imageSizing = .view  // decoded at its size on the screen

    // Fades in over the placeholder; a picture in memory is there at once.
    view.setImage(with: url, placeholder: placeholder, transition: .fade)
}

@MainActor
func showOrExplain(_ url: URL, in picture: UnsafeMutablePointer<GtkWidget>, label: OpaquePointer) {
    PictureView(picture).setImage(with: url, options: .retryFailed) { result in
        if case .failure(let error) = result { gtk_label_set_text(label, "\(error)") }
    }
}
// end

// snippet: browser
@MainActor
func openBrowser(of addresses: [URL], at index: Int, from view: PictureView) {
    let browser = PhotoBrowser(photos: addresses.map { Photo(url: $0) })
    browser.setCurrentPhotoIndex(index)
    browser.present(from: view)  // the picture flies to its page, and back when the browser is closed
}
// end
