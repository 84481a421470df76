import CPNG
import WebImageCore

/// libpng's incremental reader. Belongs to one thread at a time.
final class PNGPushDecompressor {
    /// Takes a row: its number from the top, and its pixels.
    typealias Receiver = (Int, UnsafePointer<UInt8>) throws(WebImageError) -> Void

    private var handle: OpaquePointer?
    /// The receiver of rows during a call of ``append(_:receiver:)``.
    private var receiver: Receiver?
    /// The receiver's error, kept while libpng's frames are on the stack.
    private var failure: WebImageError?

    init(isDeep: Bool) throws(WebImageError) {
        // The context is used during `append` only, so it needs no reference.
        handle = webimage_png_push_reader_create(
            isDeep,
            { context, row, pixels in
                guard let context, let pixels else { return }
                Unmanaged<PNGPushDecompressor>.fromOpaque(context).takeUnretainedValue().receive(Int(row), pixels)
            }, Unmanaged.passUnretained(self).toOpaque())
        guard handle != nil else { throw .damaged(.png, "it cannot be opened") }
    }

    deinit { webimage_png_push_reader_destroy(handle) }

    /// The current pass of an interlaced picture, 0 to 6.
    var pass: Int { Int(webimage_png_push_reader_pass(handle)) }

    /// Whether the end of the file was read.
    var isAtEnd: Bool { webimage_png_push_reader_is_at_end(handle) }

    /// Reads the next bytes, and passes their rows to `receiver`.
    func append(_ bytes: UnsafeRawBufferPointer, receiver: Receiver) throws(WebImageError) {
        guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let status = withoutActuallyEscaping(receiver) { receiver in
            self.receiver = receiver
            defer { self.receiver = nil }
            return webimage_png_push_reader_append(handle, base, bytes.count)
        }
        if let failure { throw failure }
        switch status {
        case WEBIMAGE_PNG_OK: return
        case WEBIMAGE_PNG_OUT_OF_MEMORY:
            throw WebImageError(
                .limitExceeded, stage: .decode, kind: .transient, reason: "there is no memory for the picture")
        default: throw .damaged(.png, String(cString: webimage_png_push_reader_message(handle)))
        }
    }

    private func receive(_ row: Int, _ pixels: UnsafePointer<UInt8>) {
        guard failure == nil, let receiver else { return }
        do throws(WebImageError) { try receiver(row, pixels) } catch { failure = error }
    }
}
