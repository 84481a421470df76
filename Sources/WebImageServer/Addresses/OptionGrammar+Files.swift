import FoundationEssentials
import WebImageCore

extension OptionGrammar {
    /// The options of the result's file, by their names.
    static let files: [(String, Reading)] = [
        ("format f ext", { arguments, options throws(AddressError) in options.format = try arguments.format() }),
        (
            "quality q",
            { arguments, options throws(AddressError) in
                let quality = try arguments.integer(0...100) ?? 0
                options.quality = quality == 0 ? nil : quality
            }
        ),
        (
            "format_quality fq",
            { arguments, options throws(AddressError) in
                while let format = try arguments.format() {
                    guard let quality = try arguments.integer(0...100) else {
                        throw AddressError("in the option \(arguments.option), a format has no quality behind it")
                    }
                    options.formatQuality[format] = quality
                }
            }
        ),
        (
            "max_bytes mb",
            { arguments, options throws(AddressError) in
                let count = try arguments.integer() ?? 0
                options.maximumByteCount = count == 0 ? nil : count
            }
        ),
        (
            "strip_metadata sm",
            { arguments, options throws(AddressError) in options.stripsMetadata = try arguments.flag() }
        ),
        (
            "keep_copyright kcr",
            { arguments, options throws(AddressError) in options.keepsCopyright = try arguments.flag() }
        ),
        (
            "strip_color_profile scp",
            { arguments, options throws(AddressError) in options.stripsColorProfile = try arguments.flag() }
        ),
        (
            "skip_processing skp",
            { arguments, options throws(AddressError) in
                options.unprocessedFormats = []
                for name in arguments.texts() { options.unprocessedFormats.insert(try ImageFormat(serviceName: name)) }
            }
        ),
        ("raw", { arguments, options throws(AddressError) in options.isRaw = try arguments.flag() ?? false }),
    ]

    /// The options of the answer, by their names.
    static let answers: [(String, Reading)] = [
        ("cachebuster cb", { arguments, options throws(AddressError) in options.cacheBuster = arguments.text() ?? "" }),
        (
            "expires exp",
            { arguments, options throws(AddressError) in
                let time = try arguments.integer(0...Int(Int32.max) * 1000) ?? 0
                options.expiry = time == 0 ? nil : Int64(time)
            }
        ),
        ("filename fn", { arguments, options throws(AddressError) in options.fileName = try readFileName(&arguments) }),
        (
            "return_attachment att",
            { arguments, options throws(AddressError) in options.isAttachment = try arguments.flag() }
        ),
    ]

    /// Percent-encoded, or in Base64 where a flag behind it says so.
    private static func readFileName(_ arguments: inout OptionArguments) throws(AddressError) -> String? {
        guard let text = arguments.text() else { return nil }
        let name = try arguments.flag() ?? false ? text.decodedFromBase64 : text.percentDecoded
        guard let name else {
            throw arguments.wrong(text, "a name in UTF-8, percent-encoded or in Base64 with :1 behind it")
        }
        return name
    }
}
