/// The part of a picture that a transform needs: the decode makes it from the decoder's rows as they come, without
/// memory for the whole picture, and with the pixels that the operation has on the whole picture, within rounding.
package enum DecodeRegion: Sendable, Hashable {
    /// The whole picture, stretched to a size that is not larger on either side, by an exact filter. Decoders must not
    /// scale by themselves.
    case resized(PixelSize, ResamplingFilter)
    /// A part of the upright picture.
    case cropped(columns: Range<Int>, rows: Range<Int>)

    /// Whether pixels stay as they are; a filter needs premultiplied ones where there is alpha.
    package var isCrop: Bool {
        if case .cropped = self { true } else { false }
    }

    /// The size of the result.
    package var size: PixelSize {
        switch self {
        case .resized(let size, _): size
        case .cropped(let columns, let rows): PixelSize(width: columns.count, height: rows.count)
        }
    }
}
