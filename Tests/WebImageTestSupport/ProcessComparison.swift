import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore

/// Decodes files in this process and in processes of their own, and finds the same pixels or the same error.
package struct ProcessComparison {
    /// The coders of this process.
    private let here: ImageCodersManager

    package init(_ here: ImageCodersManager = .shared) { self.here = here }

    /// A file that libraries of this process read without harm.
    package func check(_ data: Data, _ name: String, options: ImageDecodeOptions = ImageDecodeOptions()) {
        switch (Self.decode(data, options, by: here), Self.decode(data, options, by: DecoderProcesses.coders)) {
        case (.success(let expected), .success(let found)): Self.expectSame(found, expected, name)
        case (.failure(let expected), .failure(let found)):
            let isSame = found.code == expected.code && found.kind == expected.kind
            #expect(isSame || found.isOfProcessLimit, "\(name): \(found) instead of \(expected)")
        case (.success, .failure(let found)):
            #expect(found.isOfProcessLimit, "\(name): \(found) instead of a picture")
        case (.failure(let expected), .success): Issue.record("\(name): a picture instead of \(expected)")
        }
        checkProperties(data, name, options)
    }

    private func checkProperties(_ data: Data, _ name: String, _ options: ImageDecodeOptions) {
        let both = [here, DecoderProcesses.coders].map { coders in
            Result { () throws(WebImageError) in try coders.properties(of: data, isComplete: true, options: options) }
        }
        switch (both[0], both[1]) {
        case (.success(let expected), .success(let found)): #expect(found == expected, "\(name)")
        case (.failure(let expected), .failure(let found)): #expect(found.code == expected.code, "\(name): \(found)")
        default: Issue.record("\(name): the properties are \(both[1]) instead of \(both[0])")
        }
    }

    /// A file that may end the process that decodes it: it is a picture within the limits, or one clear error.
    package static func endure(_ data: Data, _ name: String, options: ImageDecodeOptions = ImageDecodeOptions()) {
        switch decode(data, options, by: DecoderProcesses.coders) {
        case .success(let image): #expect(image.pixelSize.area <= options.limits.maximumPixelCount, "\(name)")
        case .failure(let error): #expect(error.isClear, "\(name): \(error)")
        }
        do throws(WebImageError) {
            _ = try DecoderProcesses.coders.properties(of: data, isComplete: true, options: options)
        } catch {
            #expect(error.isClear, "\(name): \(error)")
        }
    }

    private static func decode(
        _ data: Data, _ options: ImageDecodeOptions, by coders: ImageCodersManager
    ) -> Result<Image, WebImageError> {
        Result { () throws(WebImageError) in try coders.decode(data, options: options) }
    }

    private static func expectSame(_ found: Image, _ expected: Image, _ name: String) {
        #expect(found.metadata == expected.metadata, "\(name)")
        #expect(found.bitmap.format == expected.bitmap.format && found.pixelSize == expected.pixelSize, "\(name)")
        #expect(found.bitmap.bytes == expected.bitmap.bytes, "\(name): the pixels differ")
        #expect(found.animation?.frameCount == expected.animation?.frameCount, "\(name)")
        guard let count = expected.animation?.frameCount else { return }
        let last = [found, expected].map { image in
            Result { () throws(WebImageError) in try image.animation?.frame(at: count - 1).bytes }
        }
        switch (last[0], last[1]) {
        case (.success(let found), .success(let expected)): #expect(found == expected, "\(name): the last frame")
        case (.failure(let found), .failure(let expected)): #expect(found.code == expected.code, "\(name): \(found)")
        default: Issue.record("\(name): the last frame is \(last[0]) instead of \(last[1])")
        }
    }
}

extension WebImageError {
    /// Whether the kernel's limits of memory or time are the reason, which hold in such processes only.
    fileprivate var isOfProcessLimit: Bool {
        code == .limitExceeded && kind == .policy
            && (reason.contains("maximumDecodeMemory") || reason.contains("maximumDecodeDuration"))
    }

    /// Whether it says of the file that it is damaged, or is beyond a limit.
    fileprivate var isClear: Bool {
        switch code {
        case .badImageData, .truncatedImageData: kind == .permanent
        case .limitExceeded: kind == .policy
        default: false
        }
    }
}
