/// The colours of a ``Bitmap``.
public enum ColorSpace: Sendable, Hashable {
    /// sRGB (IEC 61966-2-1), as GTK and displays without colour management expect.
    case sRGB
    /// The numbers as in the file: its profile, if it had one, was not applied.
    case asStored
    /// Wide gamut: primaries of Display P3 (SMPTE EG 432-1, with the white of sRGB) and the curve of sRGB.
    case displayP3
    /// High dynamic range: primaries of ITU-R BT.2020 and the perceptual quantizer of BT.2100, where 65,535 is
    /// 10,000 cd/m².
    case bt2100PQ
    /// High dynamic range: primaries of ITU-R BT.2020 and the hybrid log-gamma curve of BT.2100.
    case bt2100HLG

    /// Whether the colour space has colours brighter than diffuse white.
    public var isHighDynamicRange: Bool { self == .bt2100PQ || self == .bt2100HLG }
}
