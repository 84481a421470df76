import Synchronization

/// The last transforms used: pictures of one origin carry one profile, and setting up a transform takes longer than
/// converting a thumbnail. Any thread.
final class ColorTransformCache: Sendable {
    static let shared = ColorTransformCache()

    private struct Key: Hashable {
        let profile: ColorProfile
        let layout: PixelSource.Layout
    }

    private struct Entry {
        let key: Key
        let transform: ColorTransform?
    }

    private static let capacity = 8
    /// A printer's profile has a megabyte or so; nothing larger is worth keeping.
    private static let maximumProfileByteCount = 2 << 20

    /// Least recently used first.
    private let entries = Mutex<[Entry]>([])

    /// The transform from `profile` to sRGB, nil when there is nothing to convert.
    func transform(of profile: ColorProfile, from layout: PixelSource.Layout) -> ColorTransform? {
        let key = Key(profile: profile, layout: layout)
        if let known = entry(for: key) { return known.transform }
        let entry = Entry(key: key, transform: ColorTransform(profile: profile, layout: layout))
        if profile.bytes.count <= Self.maximumProfileByteCount { insert(entry) }
        return entry.transform
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
