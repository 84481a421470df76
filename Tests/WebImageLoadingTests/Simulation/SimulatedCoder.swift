import FoundationEssentials
import Synchronization
import WebImageCoders
import WebImageCore

/// Decodes and encodes ``SimulatedPicture``s, and checks that they are still needed. A class, because loads share only
/// the work of a coder with an identity.
final class SimulatedCoder: ProgressiveImageCoder {
    private let schedule: any Schedule
    private let loads: ObservedLoads

    init(_ schedule: any Schedule, _ loads: ObservedLoads) {
        self.schedule = schedule
        self.loads = loads
    }

    func canDecode(_ data: Data) -> Bool { true }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        ImageProperties(format: .undefined, pixelSize: PixelSize(width: 2, height: 1))
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let picture = SimulatedPicture(beginning: data)
        schedule.note("decodes \(picture?.description ?? "what is no picture")")
        try checkCancellation(options)
        if let picture { loads.checkWanted(picture, by: "a decode") }
        schedule.interleave()
        try checkCancellation(options)
        guard var picture else {
            throw WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "no simulated picture")
        }
        if options.thumbnailPixelSize != nil { picture.form.insert(.thumbnail) }
        let image = try picture.image()
        schedule.interleave()
        return image
    }

    private func checkCancellation(_ options: ImageDecodeOptions) throws(WebImageError) {
        if options.cancellation?.isCancelled == true { throw .cancelled() }
    }

    func canEncode(_ format: ImageFormat) -> Bool { true }

    func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        schedule.note("encodes \(SimulatedPicture(image))")
        schedule.interleave()
        return SimulatedPicture(image).file
    }

    func canDecodeProgressively(_ data: Data) -> Bool { SimulatedPicture(beginning: data) != nil }

    func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder {
        Decoder(coder: self, isThumbnail: options.thumbnailPixelSize != nil)
    }

    private final class Decoder: ProgressiveImageDecoder {
        private struct State {
            var data = Data()
            var isBusy = false
        }

        private let coder: SimulatedCoder
        private let isThumbnail: Bool
        private let state = Mutex(State())

        init(coder: SimulatedCoder, isThumbnail: Bool) {
            self.coder = coder
            self.isThumbnail = isThumbnail
        }

        func update(_ newBytes: Data) throws(WebImageError) -> Image? {
            let (data, wasBusy) = state.withLock { state in
                state.data.append(newBytes)
                defer { state.isBusy = true }
                return (state.data, state.isBusy)
            }
            defer { state.withLock { $0.isBusy = false } }
            coder.schedule.check(!wasBusy, "one progressive decoder was used by two at a time")
            coder.schedule.check(data.count <= SimulatedPicture.byteCount, "bytes were told twice")
            guard var picture = SimulatedPicture(beginning: data) else { return nil }
            coder.schedule.note("decodes a part of \(picture)")
            coder.loads.checkWanted(picture, by: "a partial decode")
            coder.schedule.interleave()
            picture.form.formUnion(isThumbnail ? [.partial, .thumbnail] : .partial)
            return try picture.image()
        }
    }
}

/// Marks pictures as transformed; fails for some.
struct SimulatedTransformer: ImageTransformer {
    let schedule: any Schedule
    let loads: ObservedLoads
    let transformerKey = "Simulated"

    static func refuses(_ version: Int) -> Bool { version % 4 == 3 }

    func transform(_ image: Image, for key: CacheKey) -> Image? {
        var picture = SimulatedPicture(image)
        schedule.note("transforms \(picture)")
        schedule.check(!picture.form.contains(.transformed), "\(picture) was transformed twice")
        loads.checkWanted(picture, by: "a transform")
        schedule.interleave()
        guard !Self.refuses(picture.version) else { return nil }
        picture.form.insert(.transformed)
        return try? picture.image()
    }
}
