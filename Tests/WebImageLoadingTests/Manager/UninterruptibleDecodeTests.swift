import FoundationEssentials
import Synchronization
import Testing
import WebImageCoders
import WebImageCore
import WebImageHTTP
import WebImageTestLoads
import WebImageTesting

@testable import WebImageLoading
@testable import WebImageTestDoubles

@Suite("Decodes that cannot be interrupted", .timeLimit(.minutes(5)))
struct UninterruptibleDecodeTests {
    /// Begins with a letter of its own, and waits for the test.
    private final class HangingCoder: ImageCoder {
        let isDecoding = Gate()
        let mayDecode = Gate()
        private let coder = ScriptedCoder()

        func canDecode(_ data: Data) -> Bool { data.first == UInt8(ascii: "h") }
        func isUninterruptible(for data: Data) -> Bool { canDecode(data) }

        func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
            try coder.properties(of: data.dropFirst(), isComplete: isComplete)
        }

        func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
            isDecoding.open()
            mayDecode.waitBlocking()
            return try coder.decode(Data(data.dropFirst()), options: options)
        }

        func canEncode(_ format: ImageFormat) -> Bool { false }

        func encode(
            _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
        ) throws(WebImageError) -> Data { try coder.encode(image, to: format, options: options) }
    }

    @Test("two documents that hang hold up no other picture, whether their coder is registered or the load's own")
    func others() async throws {
        for isRegistered in [true, false] {
            let hanging = HangingCoder()
            let work = PixelWork(queue: .withOwnThreads(limit: 1), uninterruptible: .withOwnThreads(limit: 1))
            let loader = ClosureImageLoader { request in
                let isDocument = request.url.path.hasPrefix("/document")
                return isDocument ? Data("h2x2".utf8) : ScriptedCoder.file(3, 3)
            }
            let manager = WebImageManager(
                cache: SuspendedCache(), loader: loader,
                coder: ImageCodersManager(coders: [ScriptedCoder()] + (isRegistered ? [hanging] : [])),
                shared: SharedStages(work: work))
            var context = WebImageContext()
            if !isRegistered { context.coder = hanging }
            let requests = (1...2).map { ImageRequest(URL(filePath: "/document\($0)"), context: context) }
            let documents = requests.map { request in Task { try await manager.image(for: request).pixelSize } }
            try await hanging.isDecoding.wait()
            let other = try await manager.image(for: ImageRequest(URL(filePath: "/picture")))
            #expect(other.pixelSize == PixelSize(width: 3, height: 3))
            hanging.mayDecode.open()
            for document in documents { #expect(try await document.value == PixelSize(width: 2, height: 2)) }
        }
    }
}
