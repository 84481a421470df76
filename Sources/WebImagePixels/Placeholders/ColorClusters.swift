/// Groups of similar colours in a picture: median cut as in Heckbert's "Color Image Quantization for Frame Buffer Display",
/// at the mean, and then Lloyd's algorithm. Without chance, so that equal pictures have equal groups.
struct ColorClusters {
    /// The mean colour of each group and its share, the largest group first.
    let colors: [DominantColor]

    private struct Sample {
        var lab: SIMD3<Double>
        var weight: Double
    }

    private typealias Cluster = Sample

    /// The number of times that colours are grouped anew about the means.
    private static let rounds = 6

    init(_ samples: PixelSamples, count: Int) {
        let visible = samples.pixels.filter { $0.w > 0 }.map {
            Sample(lab: PerceptualColor.lab($0), weight: Double($0.w) / 255)
        }
        let total = visible.reduce(0) { $0 + $1.weight }
        var clusters = Self.cut(visible, count: count)
        for _ in 0..<Self.rounds { clusters = Self.regrouped(visible, about: clusters) }
        let merged = Self.merged(clusters).enumerated().sorted {
            ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
        }
        colors = merged.map {
            DominantColor(color: PerceptualColor.color($0.element.lab), share: min(1, $0.element.weight / total))
        }
    }

    // MARK: Cutting

    /// A group that may be cut.
    private struct Box {
        let samples: ArraySlice<Sample>
        let mean: SIMD3<Double>
        /// The sum of the squared distances from the mean along the widest axis.
        let spread: Double
        let axis: Int

        init(_ samples: ArraySlice<Sample>) {
            let cluster = ColorClusters.mean(of: samples)
            let spreads = samples.reduce(into: SIMD3<Double>.zero) { sum, sample in
                let difference = sample.lab - cluster.lab
                sum += difference * difference * sample.weight
            }
            self.samples = samples
            mean = cluster.lab
            axis = (0..<3).reduce(0) { spreads[$1] > spreads[$0] ? $1 : $0 }
            spread = spreads[axis]
        }

        /// Both parts; nil where all colours are about the same.
        var halves: (Box, Box)? {
            let low = samples.filter { $0.lab[axis] < mean[axis] }
            let high = samples.filter { $0.lab[axis] >= mean[axis] }
            return low.isEmpty || high.isEmpty ? nil : (Box(low[...]), Box(high[...]))
        }
    }

    private static func cut(_ samples: [Sample], count: Int) -> [Cluster] {
        guard !samples.isEmpty else { return [] }
        var boxes = [Box(samples[...])]
        while boxes.count < count {
            let widest = boxes.indices.reduce(0) { boxes[$1].spread > boxes[$0].spread ? $1 : $0 }
            guard let halves = boxes[widest].halves else { break }
            boxes[widest] = halves.0
            boxes.append(halves.1)
        }
        return boxes.map { mean(of: $0.samples) }
    }

    private static func mean(of samples: some Sequence<Sample>) -> Cluster {
        var sum = Cluster(lab: .zero, weight: 0)
        for sample in samples {
            sum.lab += sample.lab * sample.weight
            sum.weight += sample.weight
        }
        return Cluster(lab: sum.lab / sum.weight, weight: sum.weight)
    }

    // MARK: Grouping

    private static func regrouped(_ samples: [Sample], about clusters: [Cluster]) -> [Cluster] {
        var sums = [Cluster](repeating: Cluster(lab: .zero, weight: 0), count: clusters.count)
        for sample in samples {
            var (nearest, least) = (0, Double.infinity)
            for (index, cluster) in clusters.enumerated() {
                let distance = PerceptualColor.squaredDistance(sample.lab, cluster.lab)
                if distance < least { (nearest, least) = (index, distance) }
            }
            sums[nearest].lab += sample.lab * sample.weight
            sums[nearest].weight += sample.weight
        }
        return sums.filter { $0.weight > 0 }.map { Cluster(lab: $0.lab / $0.weight, weight: $0.weight) }
    }

    /// Joins groups whose colours look alike.
    private static func merged(_ clusters: [Cluster]) -> [Cluster] {
        let limit = PerceptualColor.barelySeen * PerceptualColor.barelySeen
        var merged: [Cluster] = []
        for cluster in clusters.sorted(by: { $0.weight > $1.weight }) {
            let alike = merged.firstIndex { PerceptualColor.squaredDistance($0.lab, cluster.lab) < limit }
            if let alike { merged[alike] = mean(of: [merged[alike], cluster]) } else { merged.append(cluster) }
        }
        return merged
    }
}
