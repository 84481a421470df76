import CPNG

/// libpng's reader of bytes as they come. Belongs to one thread at a time.
final class PNGPushDecompressor {
    /// Takes a row: its number from the top, and its pixels.
    typealias Receiver = (Int, UnsafePointer<UInt8>) throws(WebImageError) -> Void

    private var handle: OpaquePointer?
    /// Where rows go during a call of ``append(_:receiver:)``.
    private var receiver: Receiver?
    /// What the receiver threw, kept while libpng's own frames are on the stack.
    private var failure: WebImageError?

    init(isDeep: Bool) throws(WebImageError) {
        // The context is used while `append` runs only, so that it need not be kept alive for it.
        handle = webimage_png_push_reader_create(
            isDeep,
            { context, row, pixels in
                guard let context, let pixels else { return }
                Unmanaged<PNGPushDecompressor>.fromOpaque(context).takeUnretainedValue().receive(Int(row), pixels)
            }, Unmanaged.passUnretained(self).toOpaque())
        guard handle != nil else { throw .damaged(.png, "it cannot be opened") }
    }

    deinit { webimage_png_push_reader_destroy(handle) }

    /// The pass of an interlaced picture that is being read, 0 to 6.
    var pass: Int { Int(webimage_png_push_reader_pass(handle)) }

    /// Whether the end of the file has come.
    var isAtEnd: Bool { webimage_png_push_reader_is_at_end(handle) }

    /// Takes the next bytes, and tells `receiver` of the rows in them.
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
