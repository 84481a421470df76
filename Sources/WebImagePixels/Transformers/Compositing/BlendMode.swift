import CPixels
import WebImageCore

/// The way in which a source, such as a colour or an overlay, is drawn over a picture: the Porter-Duff operators and the
/// separable modes of W3C's Compositing and Blending Level 1. The numbers in keys are Core Graphics'.
public enum BlendMode: Sendable, Hashable, CaseIterable {
    /// The source over the picture.
    case normal
    /// The product: darker.
    case multiply
    /// The product of negatives: brighter.
    case screen
    /// Product or screen, by the picture.
    case overlay
    /// The darker channel.
    case darken
    /// The brighter channel.
    case lighten
    /// Brightens the picture to show the source.
    case colorDodge
    /// Darkens the picture to show the source.
    case colorBurn
    /// Like a diffuse lamp.
    case softLight
    /// Product or screen, by the source.
    case hardLight
    /// The difference of channels.
    case difference
    /// A softer difference.
    case exclusion
    /// Nothing.
    case clear
    /// The source alone.
    case copy
    /// The source where the picture is: a template in one colour.
    case sourceIn
    /// The source where the picture is not.
    case sourceOut
    /// The source over the picture, and only there.
    case sourceAtop
    /// The picture alone.
    case destination
    /// The source under the picture.
    case destinationOver
    /// The picture where the source is.
    case destinationIn
    /// The picture where the source is not.
    case destinationOut
    /// The picture over the source, and only there.
    case destinationAtop
    /// Both where the other is not.
    case xor
    /// The sum.
    case plusLighter

    /// Core Graphics' number, for keys; `destination`, which it lacks, is 100.
    var number: Int {
        switch self {
        case .normal: 0
        case .multiply: 1
        case .screen: 2
        case .overlay: 3
        case .darken: 4
        case .lighten: 5
        case .colorDodge: 6
        case .colorBurn: 7
        case .softLight: 8
        case .hardLight: 9
        case .difference: 10
        case .exclusion: 11
        case .clear: 16
        case .copy: 17
        case .sourceIn: 18
        case .sourceOut: 19
        case .sourceAtop: 20
        case .destinationOver: 21
        case .destinationIn: 22
        case .destinationOut: 23
        case .destinationAtop: 24
        case .xor: 25
        case .plusLighter: 27
        case .destination: 100
        }
    }

    /// The mode for the loops over pixels.
    var operation: webimage_blend_mode {
        switch self {
        case .normal: webimage_blend_normal
        case .multiply: webimage_blend_multiply
        case .screen: webimage_blend_screen
        case .overlay: webimage_blend_overlay
        case .darken: webimage_blend_darken
        case .lighten: webimage_blend_lighten
        case .colorDodge: webimage_blend_color_dodge
        case .colorBurn: webimage_blend_color_burn
        case .softLight: webimage_blend_soft_light
        case .hardLight: webimage_blend_hard_light
        case .difference: webimage_blend_difference
        case .exclusion: webimage_blend_exclusion
        case .clear: webimage_blend_clear
        case .copy: webimage_blend_copy
        case .sourceIn: webimage_blend_source_in
        case .sourceOut: webimage_blend_source_out
        case .sourceAtop: webimage_blend_source_atop
        case .destination: webimage_blend_destination
        case .destinationOver: webimage_blend_destination_over
        case .destinationIn: webimage_blend_destination_in
        case .destinationOut: webimage_blend_destination_out
        case .destinationAtop: webimage_blend_destination_atop
        case .xor: webimage_blend_xor
        case .plusLighter: webimage_blend_plus_lighter
        }
    }

    /// Whether opaque pixels stay opaque under a colour.
    func keepsOpacity(under color: RGBAColor) -> Bool {
        switch self {
        case .clear, .sourceOut, .destinationOut, .xor: false
        case .copy, .sourceIn, .destinationIn, .destinationAtop: color.alpha == 255
        default: true
        }
    }
}
