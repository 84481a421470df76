import WebImage

extension CommandOption {
    /// The choice of pictures that are decoded in processes of their own; nil for the program's default, those beyond
    /// the built-in formats.
    package static func isolation(_ property: WritableKeyPath<Target, DecoderIsolation?>) -> Self {
        .value(
            "isolation", .isolation, property,
            help:
                "decode in locked processes of their own: helper, all formats beyond JPEG, PNG,\nWebP, GIF, BMP and ICO "
                + "(the default); all; or none, for pictures that you trust")
    }
}

extension OptionValue where Value == DecoderIsolation {
    fileprivate static var isolation: Self {
        let byName: KeyValuePairs = ["none": DecoderIsolation.inProcess, "helper": .helper, "all": .all]
        let names = byName.map(\.key)
        return Self(
            placeholder: "WHICH", expectation: names.inWords("or"), completion: .words(names),
            parse: { name in byName.first { $0.key == name.lowercased() }?.value })
    }
}
