/// A choice of the pictures that are decoded in processes of their own, which have no files, no network and no other
/// process: whatever a picture does to its decoder, it costs that picture at most.
///
/// ```swift
/// ImageCodersManager.shared.isolation = .helper
/// ```
public struct DecoderIsolation: Sendable, Hashable {
    /// A choice of formats.
    public enum Formats: Sendable, Hashable {
        /// None: all pictures are decoded in the app's own process.
        case nothing
        /// Those that need a library beyond the built-in formats: SVG, PDF, TIFF, HEIF, AVIF,
        /// JPEG XL and videos.
        case beyondBuiltIn
        /// All.
        case everything
    }

    /// The formats that are decoded in processes of their own.
    public var formats: Formats
    /// The path of the helper program, `webimage-decoder`; nil, the default, for the one beside the program, or in
    /// `../libexec/webimage`.
    public var helperPath: String?
    /// The measures that must hold for such processes. Below this level these formats are not decoded at all. By
    /// default ``Level/systemCalls`` and ``Level/limits``, which any kernel of the last years has.
    public var requiredLevel: Level
    /// The pictures that share a process; none by default.
    public var workers: WorkerPolicy

    /// - Parameters:
    ///   - formats: Which formats are decoded in processes of their own.
    ///   - helperPath: The path of `webimage-decoder`; nil for the usual places.
    ///   - requiredLevel: What must hold for such processes.
    ///   - workers: Which pictures share a process.
    public init(
        _ formats: Formats, helperPath: String? = nil, requiredLevel: Level = .minimum,
        workers: WorkerPolicy = .perPicture
    ) {
        self.formats = formats
        self.helperPath = helperPath
        self.requiredLevel = requiredLevel
        self.workers = workers
    }

    /// Everything in the app's own process: the default. For pictures that are trusted.
    public static let inProcess = DecoderIsolation(.nothing)
    /// The formats beyond the built-in ones in processes of their own.
    public static let helper = DecoderIsolation(.beyondBuiltIn)
    /// All formats in processes of their own.
    public static let all = DecoderIsolation(.everything)
}

extension DecoderIsolation {
    /// The choice of pictures that the same process decodes, one after the other.
    public enum WorkerPolicy: Sendable, Hashable {
        /// None: each picture has a process of its own.
        case perPicture
        /// Small pictures of the same format from the same origin, as browsers isolate sites: of the same scheme, host and
        /// port, or the same folder. Much faster for many small pictures, such as icons. A picture that takes its process
        /// over can see and change later ones of its origin, and no others. A picture that fails in such a process
        /// is decoded once more in a process of its own.
        ///
        /// - Parameter idle: How long a process waits for the next picture; a tenth of a second at least.
        case perOrigin(idle: Duration)

        /// ``perOrigin(idle:)`` with ten seconds.
        public static let perOrigin = WorkerPolicy.perOrigin(idle: .seconds(10))
    }
}

extension DecoderIsolation {
    /// The measures that hold for a process that decodes. Levels compare as sets.
    public struct Level: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: UInt32

        /// A set of bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// It has only the system calls that decoding takes: none that reaches a file, a network or another process.
        public static let systemCalls = Level(rawValue: 1 << 0)
        /// Its memory and time are limited by the kernel.
        public static let limits = Level(rawValue: 1 << 1)
        /// The kernel's Landlock forbids it all files as well.
        public static let landlock = Level(rawValue: 1 << 2)
        /// It sees no other process, no network and no file of the system: it is in namespaces of its own.
        public static let namespaces = Level(rawValue: 1 << 3)

        /// The measures that are required by default.
        public static let minimum: Level = [.systemCalls, .limits]
        /// All measures.
        public static let everything: Level = [.minimum, .landlock, .namespaces]
    }
}
