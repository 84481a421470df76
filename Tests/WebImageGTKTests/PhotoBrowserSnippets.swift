// The code of Docs/PhotoBrowser.md and of the symbols of the browser, compiled. A test compares the two, so neither
// changes alone.

import CGtk4
import Foundation
import WebImage
import WebImageGTK

private struct Picture {
    let original: URL
    let thumbnail: URL
}

private func render(page: Int) async throws -> WebImage.Image {
    throw WebImageError(.notCached, stage: .load, kind: .permanent, reason: "no page \(page)")
}

@MainActor
private func opening(addresses: [URL], picture: UnsafeMutablePointer<GtkWidget>) {
    let browser = PhotoBrowser(photos: addresses.map { Photo(url: $0) })
    browser.setCurrentPhotoIndex(3)
    browser.present(from: PictureView(picture))
}

@MainActor
private func photos(address: URL, clipAddress: URL, posterAddress: URL) -> [Photo] {
    let photo = Photo(url: address)
    photo.caption = "Ada Lovelace, 1840"
    photo.expectedPixelSize = PixelSize(width: 4000, height: 3000)  // where a server says so

    let drawn = Photo(.closure { try await render(page: 7) })
    let clip = Photo(.video(url: { clipAddress }, poster: posterAddress))
    return [photo, drawn, clip]
}

@MainActor
private enum Albums {
    final class Album: PhotoBrowserDataSource {
        let pictures: [Picture]

        init(_ pictures: [Picture]) { self.pictures = pictures }

        func numberOfPhotos(in browser: PhotoBrowser) -> Int { pictures.count }

        func photoBrowser(_ browser: PhotoBrowser, photoAt index: Int) -> Photo? {
            Photo(url: pictures[index].original)
        }

        func photoBrowser(_ browser: PhotoBrowser, thumbPhotoAt index: Int) -> Photo? {
            Photo(url: pictures[index].thumbnail)
        }
    }

    @MainActor
    final class Wall {
        let album: Album
        let browser: PhotoBrowser

        init(_ album: Album, list: UnsafeMutablePointer<GtkWidget>) {
            self.album = album
            browser = PhotoBrowser(dataSource: album)
            browser.prefetchOriginals(in: list)
        }

        func open(_ index: Int, from view: PictureView) {
            browser.setCurrentPhotoIndex(index)
            browser.present(from: view)
        }
    }

    final class Favourites: PhotoBrowserDelegate {
        private(set) var chosen: Set<Int> = []

        func photoBrowser(_ browser: PhotoBrowser, titleAt index: Int) -> String? { "Favourite \(index + 1)" }

        func photoBrowser(_ browser: PhotoBrowser, isPhotoSelectedAt index: Int) -> Bool { chosen.contains(index) }

        func photoBrowser(_ browser: PhotoBrowser, photoAt index: Int, selectedChanged isSelected: Bool) {
            if isSelected { chosen.insert(index) } else { chosen.remove(index) }
        }
    }
}

@MainActor
private func selection(of browser: PhotoBrowser, _ favourites: Albums.Favourites) {
    browser.delegate = favourites  // not retained
    browser.displaySelectionButtons = true
}

@MainActor
private func listHasScrolled(_ list: UnsafeMutablePointer<GtkWidget>, visible: Range<Int>, of browser: PhotoBrowser) {
    browser.prefetchOriginals(of: visible, in: list)
}

@MainActor
private func follow(_ list: UnsafeMutablePointer<GtkWidget>, by browser: PhotoBrowser) {
    browser.prefetchOriginals(in: list)
}
