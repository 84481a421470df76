/// Colours that a file describes by numbers: primaries, a transfer function and, for high dynamic range, the peak
/// luminance.
package struct CodedColors: Sendable, Hashable {
    package var primaries: ColorPrimaries
    package var transfer: TransferFunction
    /// The picture's peak luminance in cd/m², from the content light level or the mastering display; nil when unknown.
    /// For the perceptual quantizer only: hybrid log-gamma is made for a display of 1,000 cd/m².
    package var peakLuminance: Double?

    package init(primaries: ColorPrimaries, transfer: TransferFunction, peakLuminance: Double? = nil) {
        self.primaries = primaries
        self.transfer = transfer
        self.peakLuminance = peakLuminance
    }

    /// From the code points of ITU-T H.273, which PNG's cICP chunk and newer formats use. Unspecified ones count
    /// as sRGB; nil for numbers that no picture on the web uses, which is shown as sRGB as well.
    package init?(primaries: Int, transfer: Int, peakLuminance: Double? = nil) {
        guard let primaries = ColorPrimaries(codePoint: primaries), let transfer = TransferFunction(codePoint: transfer)
        else { return nil }
        self.init(primaries: primaries, transfer: transfer, peakLuminance: peakLuminance)
    }

    package static let sRGB = CodedColors(primaries: .bt709, transfer: .sRGB)
    package static let displayP3 = CodedColors(primaries: .displayP3, transfer: .sRGB)

    /// The same for gray pixels, which have no primaries: with standard dynamic range they are as good as those of sRGB.
    package func forPixels(areGray: Bool) -> CodedColors {
        areGray && !transfer.isHighDynamicRange ? CodedColors(primaries: .bt709, transfer: transfer) : self
    }
}
