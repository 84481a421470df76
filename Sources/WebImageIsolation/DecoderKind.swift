/// The decoders that a worker may be for.
package enum DecoderKind: UInt8, CaseIterable, Sendable {
    case jpeg, png, webP, gif, bmp, ico, tiff, heif, avif, jxl, svg, pdf, video
}
