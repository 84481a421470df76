/// Colours that a file describes by numbers: primaries, a transfer function and, for high dynamic range, how bright the
/// brightest of it is.
package struct CodedColors: Sendable, Hashable {
    package var primaries: ColorPrimaries
    package var transfer: TransferFunction
    /// cd/m² of the brightest part, by the file (content light level or mastering display); nil when it does not say.
    /// For the perceptual quantizer only: hybrid log-gamma is made for a screen of 1,000.
    package var peakLuminance: Double?

    package init(primaries: ColorPrimaries, transfer: TransferFunction, peakLuminance: Double? = nil) {
        self.primaries = primaries
        self.transfer = transfer
        self.peakLuminance = peakLuminance
    }

    /// By the code points of ITU-T H.273, which PNG's cICP chunk, AVIF, HEIF and JPEG XL use. What is unspecified is
    /// taken for sRGB; nil for numbers that no picture on the web uses, which is shown as sRGB as well.
    package init?(primaries: Int, transfer: Int, peakLuminance: Double? = nil) {
        guard let primaries = ColorPrimaries(codePoint: primaries), let transfer = TransferFunction(codePoint: transfer)
        else { return nil }
        self.init(primaries: primaries, transfer: transfer, peakLuminance: peakLuminance)
    }

    package static let sRGB = CodedColors(primaries: .bt709, transfer: .sRGB)
}
