import WebImage
import WebImageCommandLine

/// The changes of pixels that `load` and `convert` make, in the order in which they are typed.
struct EditOptions: Sendable {
    private var edits: [PictureEdit] = []
    private var scaleMode: ImageScaleMode?
    private var filter: ResamplingFilter?
    private var isInLinearLight = false
    private var keepsSize = false

    var isEmpty: Bool { edits.isEmpty }

    /// The pictures that are laid over others.
    var overlays: [Operand] {
        edits.compactMap { if case .overlay(let overlay) = $0.work { overlay.picture } else { nil } }
    }

    func check() throws(UsageError) {
        let isResized = edits.contains { if case .resize = $0.work { true } else { false } }
        let isRotated = edits.contains { if case .rotate = $0.work { true } else { false } }
        let way = scaleMode != nil ? "--mode" : filter != nil ? "--filter" : isInLinearLight ? "--linear-light" : nil
        if let way, !isResized { throw UsageError("\(way) is of a picture that is resized; add --resize WxH") }
        if keepsSize, !isRotated {
            throw UsageError("--keep-size is of a picture that is turned; add --rotate DEGREES")
        }
    }

    /// Loads the overlays.
    ///
    /// - Throws: The errors of the loader and of the coders, with the overlay's name.
    func ready(_ request: RequestOptions) async throws(WebImageError) -> PictureEditing {
        var steps: [PictureEditing.Step] = []
        for edit in edits {
            let transformer: any ImageTransformer =
                switch edit.work {
                case .resize(let size): resizing(to: size)
                case .rotate(let degrees): .rotate(by: degrees * .pi / 180, fitsSize: !keepsSize)
                case .overlay(let overlay): try await overlay.ready(request)
                case .transform(let transformer): transformer
                }
            steps.append(PictureEditing.Step(option: edit.option, transformer: transformer))
        }
        return PictureEditing(steps: steps)
    }

    private func resizing(to size: PixelSize) -> BuiltInTransformer {
        .resize(
            width: Double(size.width), height: Double(size.height), scaleMode: scaleMode ?? .fill,
            filter: filter ?? .lanczos3, inLinearLight: isInLinearLight)
    }

    /// For the notes of a command's help.
    static let notes = """
        The options from --resize to --trim change the pixels, in the order in which they are typed; the same may be given
        again. They follow --thumbnail, and count pixels of the picture as a person sees it. --mode, --filter, --linear-light
        and --keep-size are for all resizes or turns. An animation is changed frame by frame. Colours are #rrggbb or
        #rrggbbaa. A --tint has one of the modes
        \(BlendMode.optionNames.inWords("or").wrapped(to: 116).joined(separator: "\n"));
        it is sourceIn by default: the picture becomes a template of this colour.
        """
}

// MARK: - The options

extension EditOptions {
    /// The options that set this property of a command.
    static func options<Target>(of property: WritableKeyPath<Target, Self>) -> [CommandOption<Target>] {
        shapes(property) + colors(property) + layers(property)
    }

    private static func shapes<Target>(_ property: WritableKeyPath<Target, Self>) -> [CommandOption<Target>] {
        [
            .step("resize", .pixelSize, help: "resize to WxH pixels") { target, size, option in
                target[keyPath: property].edits.append(PictureEdit(option: option, work: .resize(size)))
            },
            .value(
                "mode", .scaleMode, property.appending(path: \.scaleMode),
                help:
                    "how --resize keeps proportions: fill stretches, which is usual, aspectFit leaves\nclear margins, aspectFill cuts"
            ),
            .value(
                "filter", .resamplingFilter, property.appending(path: \.filter),
                help: "the filter of --resize; lanczos3 by default"),
            .flag(
                "linear-light", property.appending(path: \.isInLinearLight),
                help: "let the filter of --resize mix light: fine bright lines stay bright"),
            .edit(
                "crop", .pixelRectangle, property,
                help: "the part from x, y of w by h pixels, as far as the picture reaches"
            ) {
                .crop(
                    PointRect(
                        x: Double($0.x), y: Double($0.y),
                        size: PointSize(width: Double($0.width), height: Double($0.height))))
            },
            .edit(
                "round", .roundedCorners, property,
                help: "round corners of a radius, all or some, such as 20:top-left,top-right"
            ) {
                .roundedCorners(radius: $0.radius, corners: $0.corners)
            },
            .edit("circle", property, help: "the circle in the middle") { .circle() },
            .edit("flip", .flip, property, help: "mirror: horizontal, or h, changes left and right") {
                .flip(horizontal: $0 != .vertical, vertical: $0 != .horizontal)
            },
            .step(
                "rotate", .signedNumber(-36_000...36_000),
                help: "turn by degrees counter-clockwise; the picture grows to hold its corners"
            ) { target, degrees, option in
                target[keyPath: property].edits.append(PictureEdit(option: option, work: .rotate(degrees)))
            },
            .flag(
                "keep-size", property.appending(path: \.keepsSize), help: "cut what --rotate turns out of the picture"),
            .edit(
                "blur", .number(0...10_000), property,
                help: "blur by a Gaussian of a standard deviation in pixels, edges extended"
            ) { .blur(radius: $0) },
            .edit("sharpen", .number(0...100), property, help: "sharpen by an unsharp mask of a radius in pixels") {
                .sharpen(radius: $0)
            },
        ]
    }

    private static func colors<Target>(_ property: WritableKeyPath<Target, Self>) -> [CommandOption<Target>] {
        [
            .edit("tint", .tint, property, help: "draw a colour over the picture, in a mode; sourceIn by default") {
                .tint($0.color, mode: $0.mode)
            },
            .edit("invert", property, help: "the negative: 255 minus each number") { .filter(.invert()) },
            .edit("invert-light", property, help: "the negative of light, as Core Image makes it") {
                .filter(.invert(inLinearLight: true))
            },
            .edit("mono", property, help: "gray") { .filter(.mono()) },
            .edit("sepia", property, help: "brown as an old photograph") { .filter(.sepia()) },
            .edit("brightness", .signedNumber(-1...1), property, help: "add to all channels, -1 to 1") {
                .filter(.brightness($0))
            },
            .edit("contrast", .number(0...100), property, help: "the factor from middle gray, 0 to 100") {
                .filter(.contrast($0))
            },
            .edit("saturation", .number(0...100), property, help: "the factor from gray, 0 to 100") {
                .filter(.saturation($0))
            },
            .edit("hue", .signedNumber(-36_000...36_000), property, help: "turn hues by degrees") {
                .filter(.hue($0 * .pi / 180))
            },
            .edit("exposure", .signedNumber(-20...20), property, help: "multiply light by two to the power of N") {
                .filter(.exposure($0))
            },
            .edit("gamma", .number(0.01...100), property, help: "raise channels to the power of N; below 1 brightens") {
                .filter(.gamma($0))
            },
            .edit("vibrance", .signedNumber(-1...1), property, help: "saturate muted colours more, -1 to 1") {
                .filter(.vibrance($0))
            },
            .edit("posterize", .integer(2...256), property, help: "levels of each channel, 2 to 256") {
                .filter(.posterize(levels: $0))
            },
            .edit("vignette", .number(0...1), property, help: "darken corners, 0 to 1") {
                .filter(.vignette(intensity: $0))
            },
        ]
    }

    private static func layers<Target>(_ property: WritableKeyPath<Target, Self>) -> [CommandOption<Target>] {
        [
            .step(
                "overlay", .overlay,
                help:
                    "lay a picture over this one, such as logo.png@bottom-right or\nlogo.png@center:0.5 for half its alpha"
            ) { target, overlay, option in
                target[keyPath: property].edits.append(PictureEdit(option: option, work: .overlay(overlay)))
            },
            .edit(
                "pad", .padding, property,
                help:
                    "add a margin, such as 10 or 10,0,10,0 (top, right, bottom, left), clear or\nof a colour: 10:#ffffff"
            ) {
                .pad($0.insets, color: $0.color)
            },
            .edit("trim", property, help: "cut away edges of one colour") { .trim() },
        ]
    }
}

extension CommandOption {
    /// An option whose value is a change of pixels.
    fileprivate static func edit<Value>(
        _ name: String, _ kind: OptionValue<Value>, _ property: WritableKeyPath<Target, EditOptions>, help: String,
        _ transformer: @escaping (Value) -> BuiltInTransformer
    ) -> Self {
        .step(name, kind, help: help) { target, value, option in
            let edit = PictureEdit(option: option, work: .transform(transformer(value)))
            target[keyPath: property].append(edit)
        }
    }

    /// A switch that is a change of pixels.
    fileprivate static func edit(
        _ name: String, _ property: WritableKeyPath<Target, EditOptions>, help: String,
        _ transformer: @escaping () -> BuiltInTransformer
    ) -> Self {
        .step(name, help: help) { target, option in
            target[keyPath: property].append(PictureEdit(option: option, work: .transform(transformer())))
        }
    }
}

extension EditOptions {
    fileprivate mutating func append(_ edit: PictureEdit) { edits.append(edit) }
}
