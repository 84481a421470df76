import CGtk4
import WebImage

/// The colours that the application's windows can show.
///
/// Pictures in ``WebImage/ColorSpace/displayP3`` are given to GTK 4.16 and newer as they are, and GTK converts them to
/// the colours of the window. Older versions get them in sRGB.
public enum DisplayColors {
    /// Whether GTK takes pictures in ``WebImage/ColorSpace/displayP3``: from 4.16 on. Main thread.
    ///
    /// With older versions each view that shows such a picture converts it on the main thread. So let decoders keep wide
    /// gamut only where GTK takes it:
    ///
    /// ```swift
    /// var options = ImageDecodeOptions()
    /// options.decodesToWideGamut = DisplayColors.takesWideGamut
    /// view.setImage(with: url, context: WebImageContext { $0.decodeOptions = options })
    /// ```
    public static var takesWideGamut: Bool { ColorSpace.displayP3.gdkColorState != nil }

    /// Whether pictures of high dynamic range are given to GTK as they are, from GTK 4.16 on; false, the default, for
    /// their tone-mapped form.
    ///
    /// GTK does not tell which windows show high dynamic range, and in others it cuts off all light above white. So an
    /// application sets this where it knows, as from a setting of its user. It applies to pictures in
    /// ``WebImage/ColorSpace/bt2100PQ`` and ``WebImage/ColorSpace/bt2100HLG`` that are shown from then on; frames of
    /// animations are always tone-mapped. Main thread.
    ///
    /// ```swift
    /// DisplayColors.showsHighDynamicRange = true
    /// var options = ImageDecodeOptions()
    /// options.decodesToHDR = true
    /// view.setImage(with: url, context: WebImageContext { $0.decodeOptions = options })
    /// ```
    public static var showsHighDynamicRange = false

    // Code points of ITU-T H.273: primaries and transfer functions.
    fileprivate static let displayP3 = webimage_color_state(12, 13)
    fileprivate static let perceptualQuantizer = webimage_color_state(9, 16)
    fileprivate static let hybridLogGamma = webimage_color_state(9, 18)
}

extension ColorSpace {
    /// The `GdkColorState` of these colours; nil for sRGB, and before GTK 4.16.
    var gdkColorState: UnsafeMutableRawPointer? {
        switch self {
        case .sRGB, .asStored: nil
        case .displayP3: DisplayColors.displayP3
        case .bt2100PQ: DisplayColors.perceptualQuantizer
        case .bt2100HLG: DisplayColors.hybridLogGamma
        }
    }
}
