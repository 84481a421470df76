import WebImageCore

extension OptionGrammar {
    /// The options of sizes and of parts of the picture, by their names.
    static let geometry: [(String, Reading)] = [
        (
            "resize rs",
            { arguments, options throws(AddressError) in
                try readResizingType(&arguments, &options)
                try readSize(&arguments, &options)
            }
        ),
        ("size s", { arguments, options throws(AddressError) in try readSize(&arguments, &options) }),
        ("resizing_type rt", { arguments, options throws(AddressError) in try readResizingType(&arguments, &options) }),
        ("width w", { arguments, options throws(AddressError) in options.width = try arguments.integer() ?? 0 }),
        ("height h", { arguments, options throws(AddressError) in options.height = try arguments.integer() ?? 0 }),
        (
            "min-width mw min_width",
            { arguments, options throws(AddressError) in options.minimumWidth = try arguments.integer() ?? 0 }
        ),
        (
            "min-height mh min_height",
            { arguments, options throws(AddressError) in options.minimumHeight = try arguments.integer() ?? 0 }
        ),
        (
            "zoom z",
            { arguments, options throws(AddressError) in
                options.zoomX = try arguments.factor() ?? 1
                options.zoomY = try arguments.factor() ?? options.zoomX
            }
        ),
        (
            "dpr",
            { arguments, options throws(AddressError) in
                options.dpr = try arguments.factor() ?? 1
                options.hasOwnDPR = true
            }
        ),
        (
            "enlarge el",
            { arguments, options throws(AddressError) in options.enlarges = try arguments.flag() ?? false }
        ),
        (
            "extend ex",
            { arguments, options throws(AddressError) in options.extent = try readExtent(&arguments) }
        ),
        (
            "extend_aspect_ratio extend_ar exar",
            { arguments, options throws(AddressError) in options.aspectRatioExtent = try readExtent(&arguments) }
        ),
        (
            "gravity g",
            { arguments, options throws(AddressError) in options.gravity = try readGravity(&arguments) ?? .center }
        ),
        (
            "crop c",
            { arguments, options throws(AddressError) in
                let width = try arguments.number(0...1e9) ?? 0
                let height = try arguments.number(0...1e9) ?? 0
                let gravity = try readGravity(&arguments)
                options.crop = ProcessingOptions.Crop(
                    width: width == 0 ? nil : Offset(width), height: height == 0 ? nil : Offset(height),
                    gravity: gravity)
            }
        ),
        ("trim t", { arguments, options throws(AddressError) in options.trim = try readTrim(&arguments) }),
        ("padding pd", { arguments, options throws(AddressError) in options.padding = try readPadding(&arguments) }),
        (
            "auto_rotate ar",
            { arguments, options throws(AddressError) in options.appliesOrientation = try arguments.flag() }
        ),
        (
            "rotate rot",
            { arguments, options throws(AddressError) in
                let angle = try arguments.integer(-360_000...360_000) ?? 0
                guard angle.isMultiple(of: 90) else { throw arguments.wrong("\(angle)", "a multiple of 90") }
                options.quarterTurns = (angle / 90 % 4 + 4) % 4
            }
        ),
        (
            "flip fl",
            { arguments, options throws(AddressError) in
                options.flipsHorizontally = try arguments.flag() ?? false
                options.flipsVertically = try arguments.flag() ?? false
            }
        ),
    ]

    private static func readResizingType(
        _ arguments: inout OptionArguments, _ options: inout ProcessingOptions
    ) throws(AddressError) {
        guard let name = arguments.text() else { return options.resizingType = .fit }
        guard let type = ProcessingOptions.ResizingType(rawValue: name) else {
            throw arguments.wrong(name, "fit, fill, fill-down, force or auto")
        }
        options.resizingType = type
    }

    /// Arguments that are missing leave what was there.
    private static func readSize(
        _ arguments: inout OptionArguments, _ options: inout ProcessingOptions
    ) throws(AddressError) {
        if let width = try arguments.integer() { options.width = width }
        if let height = try arguments.integer() { options.height = height }
        if let enlarges = try arguments.flag() { options.enlarges = enlarges }
        if arguments.count > 0 { options.extent = try readExtent(&arguments) }
    }

    private static func readExtent(_ arguments: inout OptionArguments) throws(AddressError) -> Gravity? {
        let extends = try arguments.flag() ?? false
        let gravity = try readGravity(&arguments, allowsSmart: false)
        return extends ? gravity ?? .center : nil
    }

    static func readGravity(
        _ arguments: inout OptionArguments, allowsSmart: Bool = true
    ) throws(AddressError) -> Gravity? {
        guard let name = arguments.text() else { return nil }
        switch name {
        case "sm" where allowsSmart: return Gravity(anchor: .smart)
        case "fp":
            let x = try arguments.number(0...1) ?? 0.5
            return Gravity(anchor: .focus(x: x, y: try arguments.number(0...1) ?? 0.5))
        case "obj", "objw":
            throw AddressError(
                "the gravity \(name) is not supported by this service; take sm for the most interesting part")
        default:
            guard let edge = edges[name] else { throw arguments.wrong(name, "a gravity") }
            let x = try arguments.number(-1e9...1e9) ?? 0
            let y = try arguments.number(-1e9...1e9) ?? 0
            return Gravity(anchor: .edge(x: edge.x, y: edge.y), x: Offset(x), y: Offset(y))
        }
    }

    private static let edges: [String: (x: Double, y: Double)] = [
        "ce": (0.5, 0.5), "no": (0.5, 0), "so": (0.5, 1), "we": (0, 0.5), "ea": (1, 0.5),
        "nowe": (0, 0), "noea": (1, 0), "sowe": (0, 1), "soea": (1, 1),
    ]

    private static func readTrim(_ arguments: inout OptionArguments) throws(AddressError) -> ProcessingOptions.Trim? {
        guard let threshold = try arguments.number(0...1e6) else { return nil }
        return ProcessingOptions.Trim(
            threshold: threshold, color: try arguments.color(), isEqualAcross: try arguments.flag() ?? false,
            isEqualDown: try arguments.flag() ?? false)
    }

    /// As in CSS: a side that is missing has what the opposite one has.
    private static func readPadding(
        _ arguments: inout OptionArguments
    ) throws(AddressError) -> ProcessingOptions.Padding {
        let top = try arguments.integer() ?? 0
        let right = try arguments.integer() ?? top
        let bottom = try arguments.integer() ?? top
        return ProcessingOptions.Padding(top: top, right: right, bottom: bottom, left: try arguments.integer() ?? right)
    }
}
