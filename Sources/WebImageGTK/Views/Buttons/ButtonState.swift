import CGtk4

/// The state of a button as a set of flags; empty for the normal state.
///
/// A button shows the picture for its present state. Without one, it shows the best match: the picture whose state has
/// the most of its flags; among equals the strongest flag decides, in the order ``insensitive``, ``active``,
/// ``checked``, ``prelight``. The last choice is the picture for ``normal``.
public nonisolated struct ButtonState: OptionSet, Sendable, Hashable {
    /// The bits, those of GTK's `GtkStateFlags`.
    public let rawValue: UInt32

    /// A state with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// No flag is set.
    public static let normal: ButtonState = []
    /// The button is pressed.
    public static let active = ButtonState(rawValue: UInt32(GTK_STATE_FLAG_ACTIVE.rawValue))
    /// The pointer is over the button.
    public static let prelight = ButtonState(rawValue: UInt32(GTK_STATE_FLAG_PRELIGHT.rawValue))
    /// The button is disabled.
    public static let insensitive = ButtonState(rawValue: UInt32(GTK_STATE_FLAG_INSENSITIVE.rawValue))
    /// A toggle button is pressed down, or the menu of a menu button is open.
    public static let checked = ButtonState(rawValue: UInt32(GTK_STATE_FLAG_CHECKED.rawValue))

    /// The flags of a widget that can have pictures of their own.
    init(_ flags: GtkStateFlags) {
        self = ButtonState(rawValue: UInt32(flags.rawValue)).intersection(
            Self.strongestFirst.reduce([]) { $0.union($1) })
    }

    /// The states whose pictures suit this one, the best match first, down to ``normal``.
    var fallbacks: [ButtonState] {
        let flags = Self.strongestFirst.filter { isSuperset(of: $0) }
        return flags.reduce([.normal]) { sets, flag in sets + sets.map { $0.union(flag) } }
            .sorted { ($0.flagCount, $0.strength) > ($1.flagCount, $1.strength) }
    }

    private static let strongestFirst: [ButtonState] = [.insensitive, .active, .checked, .prelight]

    private var flagCount: Int { rawValue.nonzeroBitCount }

    private var strength: Int {
        Self.strongestFirst.reduce(0) { $0 << 1 | (isSuperset(of: $1) ? 1 : 0) }
    }
}
