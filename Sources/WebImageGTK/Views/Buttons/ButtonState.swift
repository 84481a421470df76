import CGtk4

/// What happens to a button, as a set; empty for nothing.
///
/// A button shows the picture for its present state. Where that has none, it shows the one that says most about it: that
/// for the most of its flags, and among equals that for the strongest; ``insensitive`` is stronger than ``active``, then
/// come ``checked`` and ``prelight``. In the end it shows the picture for ``normal``.
public nonisolated struct ButtonState: OptionSet, Sendable, Hashable {
    /// The bits, those of GTK's `GtkStateFlags`.
    public let rawValue: UInt32

    /// A state of the bits of `rawValue`.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Nothing happens to the button.
    public static let normal: ButtonState = []
    /// It is being pressed.
    public static let active = ButtonState(rawValue: UInt32(GTK_STATE_FLAG_ACTIVE.rawValue))
    /// The pointer is over it.
    public static let prelight = ButtonState(rawValue: UInt32(GTK_STATE_FLAG_PRELIGHT.rawValue))
    /// It cannot be used.
    public static let insensitive = ButtonState(rawValue: UInt32(GTK_STATE_FLAG_INSENSITIVE.rawValue))
    /// It is a toggle button that is pressed down, or a menu button whose menu is open.
    public static let checked = ButtonState(rawValue: UInt32(GTK_STATE_FLAG_CHECKED.rawValue))

    /// Of a widget's flags, those that have pictures of their own.
    init(_ flags: GtkStateFlags) {
        self = ButtonState(rawValue: UInt32(flags.rawValue)).intersection(
            Self.strongestFirst.reduce([]) { $0.union($1) })
    }

    /// The states whose pictures go with this one, the best one first, down to ``normal``.
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
