import WebImageCore

extension OptionGrammar {
    /// The options of the result's pixels, by their names.
    static let pixels: [(String, Reading)] = [
        (
            "background bg",
            { arguments, options throws(AddressError) in options.background = try readBackground(&arguments) }
        ),
        ("blur bl", { arguments, options throws(AddressError) in options.blur = try arguments.number(0...1000) ?? 0 }),
        (
            "sharpen sh",
            { arguments, options throws(AddressError) in options.sharpen = try arguments.number(0...1000) ?? 0 }
        ),
        (
            "pixelate pix",
            { arguments, options throws(AddressError) in options.pixelate = try arguments.integer() ?? 0 }
        ),
        (
            "watermark wm",
            { arguments, options throws(AddressError) in options.watermark = try readWatermark(&arguments) }
        ),
    ]

    private static func readBackground(_ arguments: inout OptionArguments) throws(AddressError) -> RGBAColor? {
        guard arguments.count > 1 else { return try arguments.color() }
        guard let red = try arguments.integer(0...255), let green = try arguments.integer(0...255),
            let blue = try arguments.integer(0...255)
        else { throw arguments.wrong("the list", "three channels from 0 to 255") }
        return RGBAColor(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
    }

    private static func readWatermark(
        _ arguments: inout OptionArguments
    ) throws(AddressError) -> ProcessingOptions.Watermark? {
        guard let opacity = try arguments.number(0...1), opacity > 0 else { return nil }
        var watermark = ProcessingOptions.Watermark(opacity: opacity)
        watermark.position = try readPosition(&arguments)
        let scale = try arguments.number(0...2) ?? 0
        watermark.scale = scale == 0 ? nil : scale
        return watermark
    }

    private static func readPosition(
        _ arguments: inout OptionArguments
    ) throws(AddressError) -> ProcessingOptions.Watermark.Position {
        var own = arguments
        switch own.text() {
        case "re":
            let x = try own.number(-1e9...1e9) ?? 0
            let y = try own.number(-1e9...1e9) ?? 0
            arguments = own
            return .tiled(x: Offset(x), y: Offset(y))
        case "ch":
            throw AddressError("the watermark's position ch is not supported by this service; take re")
        case "fp", "sm":
            throw AddressError("a watermark has no gravity of that kind in \(arguments.option)")
        case nil:
            // Without a name, the offsets are those from the middle.
            let x = try own.number(-1e9...1e9) ?? 0
            let y = try own.number(-1e9...1e9) ?? 0
            arguments = own
            return .at(Gravity(anchor: Gravity.center.anchor, x: Offset(x), y: Offset(y)))
        default: return .at(try readGravity(&arguments, allowsSmart: false) ?? .center)
        }
    }
}
