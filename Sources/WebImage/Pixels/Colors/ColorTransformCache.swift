import Synchronization

/// The most recently used conversions: pictures of one site usually have the same colours, and setting up a conversion
/// takes longer than converting a thumbnail. Any thread.
final class ColorTransformCache: Sendable {
    static let shared = ColorTransformCache()

    private struct Key: Hashable {
        let colors: SourceColors
        let layout: PixelSource.Layout
        let target: ColorSpace
    }

    private struct Entry {
        let key: Key
        let conversion: ColorConversion?
    }

    private static let capacity = 8
    /// Printer profiles have about a megabyte; larger ones are not cached.
    private static let maximumProfileByteCount = 2 << 20

    /// The least recently used one is first.
    private let entries = Mutex<[Entry]>([])

    /// The conversion of `colors`; nil when there is nothing to convert.
    func conversion(
        of colors: SourceColors, layout: PixelSource.Layout, to target: ColorSpace
    ) -> ColorConversion? {
        let key = Key(colors: colors, layout: layout, target: target)
        if let known = entry(for: key) { return known.conversion }
        // A profile may be a slice of its file, which would stay in memory.
        let kept = Key(colors: colors.withBytesOfItsOwn, layout: layout, target: target)
        let entry = Entry(key: kept, conversion: ColorConversion(colors, layout: layout, to: target))
        if colors.profile?.bytes.count ?? 0 <= Self.maximumProfileByteCount { insert(entry) }
        return entry.conversion
    }

    private func entry(for key: Key) -> Entry? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry
        }
    }

    private func insert(_ entry: Entry) {
        entries.withLock { entries in
            entries.removeAll { $0.key == entry.key }
            entries.append(entry)
            if entries.count > Self.capacity { entries.removeFirst() }
        }
    }
}
