import Synchronization
import WebImageCore

/// The most recently used conversions, and which colours are wide: pictures of one site usually have the same colours, and
/// setting up a conversion takes longer than converting a thumbnail. Any thread.
final class ColorTransformCache: Sendable {
    static let shared = ColorTransformCache()

    private struct Key: Hashable {
        let colors: SourceColors
        let layout: PixelSource.Layout
        let target: ColorSpace
    }

    /// Printer profiles have about a megabyte; larger ones are not cached.
    private static let maximumProfileByteCount = 2 << 20

    private let conversions = Mutex(RecentValues<Key, ColorConversion?>())
    private let gamuts = Mutex(RecentValues<SourceColors, Bool>())

    /// The conversion of `colors`; nil when there is nothing to convert.
    func conversion(
        of colors: SourceColors, layout: PixelSource.Layout, to target: ColorSpace
    ) -> ColorConversion? {
        let key = Key(colors: colors, layout: layout, target: target)
        if let known = conversions.withLock({ $0.value(for: key) }) { return known }
        let conversion = ColorConversion(colors, layout: layout, to: target)
        if Self.mayKeep(colors) {
            // A profile may be a slice of its file, which would stay in memory.
            let key = Key(colors: colors.withBytesOfItsOwn, layout: layout, target: target)
            conversions.withLock { $0.insert(conversion, for: key) }
        }
        return conversion
    }

    /// Whether there are colours outside of sRGB among `colors`.
    func areWide(_ colors: SourceColors) -> Bool {
        if let known = gamuts.withLock({ $0.value(for: colors) }) { return known }
        let areWide = colors.leaveSRGB
        if Self.mayKeep(colors) {
            let key = colors.withBytesOfItsOwn
            gamuts.withLock { $0.insert(areWide, for: key) }
        }
        return areWide
    }

    private static func mayKeep(_ colors: SourceColors) -> Bool {
        colors.profile?.bytes.count ?? 0 <= maximumProfileByteCount
    }
}

/// The values of the most recently used keys.
private struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let key: Key
        let value: Value
    }

    private static var capacity: Int { 8 }

    /// The least recently used one is first.
    private var entries: [Entry] = []

    mutating func value(for key: Key) -> Value? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry.value
    }

    mutating func insert(_ value: Value, for key: Key) {
        entries.removeAll { $0.key == key }
        entries.append(Entry(key: key, value: value))
        if entries.count > Self.capacity { entries.removeFirst() }
    }
}
