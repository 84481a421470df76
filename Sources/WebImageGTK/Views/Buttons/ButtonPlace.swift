/// One of the pictures of a button.
nonisolated enum ButtonPlace: Hashable {
    /// The picture beside the label for a state.
    case image(ButtonState)
    /// The picture for checked buttons that have no picture for a state with ``ButtonState/checked``.
    case alternateImage
    /// The picture behind all else for a state.
    case background(ButtonState)

    /// The operation key of the picture's loads.
    var key: String {
        switch self {
        case .image(let state): "ButtonImageOperation\(state.rawValue)"
        case .alternateImage: "alternateImage"
        case .background(let state): "ButtonBackgroundImageOperation\(state.rawValue)"
        }
    }

    /// The picture of its kind for the normal state.
    var usual: ButtonPlace {
        switch self {
        case .image, .alternateImage: .image(.normal)
        case .background: .background(.normal)
        }
    }

    /// The pictures beside the label for `state`, the best match first.
    static func images(for state: ButtonState) -> [ButtonPlace] {
        let states = state.fallbacks
        guard let last = states.lastIndex(where: { $0.contains(.checked) }) else { return states.map { .image($0) } }
        return states[...last].map { .image($0) } + [.alternateImage] + states[(last + 1)...].map { .image($0) }
    }

    /// The backgrounds for `state`, the best match first.
    static func backgrounds(for state: ButtonState) -> [ButtonPlace] { state.fallbacks.map { .background($0) } }
}
