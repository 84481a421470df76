/// The order in which the sample pictures are shown.
nonisolated enum ShowOrder {
    /// The first screen: every format, transparency, portrait and panorama pictures, and no two similar scenes side by
    /// side.
    private static let opening = [
        "alps-04.webp", "balloons-01.webp", "planet-01.png", "canyon-01.jpg", "aurora-01.jpg", "flower-01.jpg",
        "sunset-13.jpg", "lights-02.png", "coast-01.jpg", "sky-03.gif", "city-01.webp", "autumn-01.jpg",
        "galaxy-01.jpg", "reef-02.png", "hills-01.jpg", "planet-08.webp", "forest-01.jpg", "fields-05.gif",
        "islands-01.jpg", "coral-02.gif", "glacier-01.jpg", "milky-way-01.jpg", "leaf-01.jpg", "nebula-01.webp",
    ]

    /// The same samples: the opening, then one of each scene in turn.
    static func arrange(_ samples: [SamplePictures.Sample]) -> [SamplePictures.Sample] {
        let first = opening.compactMap { name in samples.first { $0.name == name } }
        return first + interleaved(samples.filter { !opening.contains($0.name) })
    }

    /// One sample of each scene, then the next of each: files of a scene have the same name up to the last hyphen.
    private static func interleaved(_ samples: [SamplePictures.Sample]) -> [SamplePictures.Sample] {
        var seen: [Substring: Int] = [:]
        let rounds = samples.map { sample in
            let scene = sample.name[..<(sample.name.lastIndex(of: "-") ?? sample.name.endIndex)]
            defer { seen[scene, default: 0] += 1 }
            return (round: seen[scene, default: 0], sample: sample)
        }
        let last = rounds.map(\.round).max() ?? 0
        return (0...last).flatMap { round -> [SamplePictures.Sample] in
            rounds.filter { $0.round == round }.map(\.sample)
        }
    }
}
