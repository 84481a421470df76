import WebImage

/// No cache, but an array of pictures, indexed by the number in the name. Threads contend only for the pictures'
/// reference counts, as they do with any cache.
///
/// `@unchecked Sendable`: filled before it is shared.
final class BareNamedCache: NamedCache, @unchecked Sendable {
    static let id = "bare"
    static let title = "pictures in a row"
    private var images: [Image?] = []

    init(costLimit: Int) {}

    func image(named name: String) -> Image? { images[Self.number(of: name)] }

    func store(_ image: Image, named name: String, cost: Int) {
        let number = Self.number(of: name)
        while images.count <= number { images.append(nil) }
        images[number] = image
    }

    private static func number(of name: String) -> Int {
        name.utf8.dropLast("/large.jpg".utf8.count).suffix(6).reduce(0) { $0 * 10 + Int($1 & 15) }
    }
}
