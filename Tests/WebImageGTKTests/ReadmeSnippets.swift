// The code of README.md, compiled. A test compares the two, so neither changes alone.

// snippet: view
import CGtk4
import Foundation
import WebImage
import WebImageGTK

@MainActor
func show(_ url: URL, in picture: UnsafeMutablePointer<GtkWidget>) {
    PictureView(picture).setImage(with: url, transition: .fade)
}
// end
