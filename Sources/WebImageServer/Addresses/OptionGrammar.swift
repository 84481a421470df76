import WebImageCore

/// The options of addresses, by all of their names.
struct OptionGrammar {
    typealias Reading = @Sendable (inout OptionArguments, inout ProcessingOptions) throws(AddressError) -> Void

    /// Separates the arguments of an option.
    var separator: Character = ":"
    /// Lists of options, by their names.
    var presets: [String: [Substring]] = [:]

    /// The name and the options of a preset, `small=rs:fit:300:300/q:80`.
    static func preset(_ text: String) throws(PictureServerError) -> (name: String, options: [Substring]) {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw PictureServerError("write NAME=OPTIONS, such as small=rs:fit:300:300/q:80")
        }
        let options = parts[1].split(separator: "/")
        return (String(parts[0]), options)
    }

    /// One name each, which errors tell by.
    private static let readings: [String: Reading] = {
        var all: [String: Reading] = [:]
        for (names, reading) in geometry + pixels + files + answers {
            for name in names.split(separator: " ") { all[String(name)] = reading }
        }
        return all
    }()

    /// Reads one option, over those that were read before.
    func read(_ text: Substring, into options: inout ProcessingOptions) throws(AddressError) {
        try read(text, into: &options, within: [])
    }

    /// - Parameter open: The presets that are being read: a preset may name others, but not itself.
    private func read(
        _ text: Substring, into options: inout ProcessingOptions, within open: [String]
    ) throws(AddressError) {
        var arguments = OptionArguments(text, separator: separator)
        if ["preset", "pr"].contains(arguments.name) {
            return try apply(arguments.texts(), to: &options, within: open)
        }
        guard let reading = Self.readings[arguments.name] else { throw Self.unknown(arguments.name) }
        try reading(&arguments, &options)
        try arguments.end()
    }

    /// Applies presets by their names, in order.
    func apply(_ names: [String], to options: inout ProcessingOptions) throws(AddressError) {
        try apply(names, to: &options, within: [])
    }

    private func apply(
        _ names: [String], to options: inout ProcessingOptions, within open: [String]
    ) throws(AddressError) {
        for name in names {
            guard let preset = presets[name] else { throw AddressError("\(name) is no preset of this service") }
            // One that names itself says nothing new by it.
            guard !open.contains(name) else { continue }
            for option in preset { try read(option, into: &options, within: open + [name]) }
        }
    }

    private static func unknown(_ name: String) -> AddressError {
        if let wanted = securityOptions[name] {
            return AddressError(
                "the option \(name) is not allowed: \(wanted) is a setting of the service", status: .forbidden)
        }
        return AddressError(
            unsupported.contains(name)
                ? "the option \(name) is not supported by this service; take it out of the address"
                : "\(name) is no option")
    }

    /// An address must not change them.
    private static let securityOptions = [
        "max_src_resolution": "the largest source", "msr": "the largest source",
        "max_src_file_size": "the largest file", "msfs": "the largest file",
        "max_animation_frames": "the largest number of frames", "maf": "the largest number of frames",
        "max_animation_frame_resolution": "the largest frame", "mafr": "the largest frame",
        "max_result_dimension": "the largest result", "mrd": "the largest result",
    ]

    /// Those of imgproxy that are not here.
    private static let unsupported: Set<String> = [
        "resizing_algorithm", "ra", "objects_position", "obj_pos", "op", "crop_aspect_ratio", "crop_ar", "car",
        "background_alpha", "bga", "adjust", "a", "brightness", "br", "contrast", "co", "saturation", "sa",
        "monochrome",
        "mc", "duotone", "dt", "unsharp_masking", "ush", "blur_detections", "bd", "draw_detections", "dd", "colorize",
        "col", "gradient", "gr", "watermark_url", "wmu", "watermark_text", "wmt", "watermark_size", "wms",
        "watermark_rotate", "wm_rot", "wmr", "watermark_shadow", "wmsh", "style", "st", "dpi", "enforce_thumbnail",
        "eth",
        "autoquality", "aq", "jpeg_options", "jpgo", "png_options", "pngo", "webp_options", "webpo", "avif_options",
        "page", "pg", "pages", "pgs", "disable_animation", "da", "video_thumbnail_second", "vts",
        "video_thumbnail_keyframes", "vtk", "video_thumbnail_tile", "vtt", "video_thumbnail_animation", "vta",
        "fallback_image_url", "fiu", "hashsum", "hs", "color_profile", "cp", "icc", "preserve_hdr", "ph",
    ]
}
