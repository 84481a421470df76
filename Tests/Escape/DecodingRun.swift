import FoundationEssentials
import Glibc
import WebImageCoders
import WebImageCore
import WebImageHEIF
import WebImageSVG
import WebImageSandbox

/// Ordinary decodes in a worker, compared with the same ones outside. A line for each file: its path, and `same`, or what
/// is different.
struct DecodingRun {
    let level: EscapeLevel
    /// The pictures that the zygote decodes before it forks, so that they are in memory.
    let preloads: [String]

    func run(_ paths: [String]) {
        for path in paths { Worker.say(path, outcome(of: path)) }
    }

    /// A line for each file: `one` or `more`, the threads that its decode leaves to the process that runs it.
    static func countThreads(_ paths: [String]) {
        for path in paths {
            guard let data = try? Data(contentsOf: URL(filePath: path)) else { continue }
            let (answer, _) = Worker(policy: EscapeLevel.nothing.policy).run { _, answers in
                _ = digest(of: data)
                waitForThreads()
                // That of newer versions of Pango stays as long as the fonts that it has found.
                if !SandboxedZygote.hasOneThread { SVGCoder.releaseFonts() }
                waitForThreads()
                Worker.write(SandboxedZygote.hasOneThread ? "one" : "more", to: answers)
            }
            Worker.say(path, answer)
        }
    }

    private func outcome(of path: String) -> String {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { return "unreadable" }
        let expected = decode(data, in: .nothing, preloads: [])
        let found = decode(data, in: level, preloads: preloads)
        if expected == found { return expected.hasPrefix("decoded") ? "same" : "failed everywhere: \(found)" }
        return "outside \(expected), inside \(found)"
    }

    private func decode(_ data: Data, in level: EscapeLevel, preloads: [String]) -> String {
        var policy = level.policy
        policy.limits.processorSeconds = 30
        let preload = {
            // As in every decoder process: the decoders may be plug-ins, which are files.
            HEIFCoder.loadPlugins()
            for path in preloads {
                guard let data = try? Data(contentsOf: URL(filePath: path)) else { continue }
                _ = Self.digest(of: data)
            }
            Self.waitForThreads()
        }
        let (answer, ending) = Worker(policy: policy, prepare: preload).run { _, answers in
            Worker.write(Self.digest(of: data), to: answers)
        }
        return ending == .exit(0) ? answer : "\(ending) \(answer)"
    }

    /// Pango has a thread for each search for a font.
    private static func waitForThreads() {
        for _ in 0..<5000 where !SandboxedZygote.hasOneThread { poll(nil, 0, 1) }
    }

    /// Of the whole picture, and a thumbnail. Not of frames: for them, Dispatch is asked for a timer.
    private static func digest(of data: Data) -> String {
        do {
            let image = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
            var options = ImageDecodeOptions()
            options.thumbnailPixelSize = PixelSize(width: 10, height: 10)
            let thumbnail = try ImageCodersManager.shared.decode(data, options: options)
            var hasher = Hasher()
            for bitmap in [image.bitmap, thumbnail.bitmap] { bitmap.withUnsafeBytes { hasher.combine(bytes: $0) } }
            // The hasher's secret is the same in all copies of this process.
            return "decoded \(image.bitmap.size), \(hasher.finalize())"
        } catch { return "\(error)" }
    }
}
