/// GIF's variant of LZW (GIF89a appendix F): codes of growing width, a clear code, and an end code.
///
/// Every string of the dictionary stands in the output already: an old string and the byte that came after it. So an
/// entry holds a place and a length, and a string is copied forwards instead of being collected backwards along a chain
/// of prefixes. Its first eight bytes, which is nearly always all of it, lie in the entry itself.
struct LZWDecoder {
    /// How many bytes past the last pixel the output must have: strings are written eight bytes at a time.
    static let outputSlack = 8

    private static let maximumCodeSize = 12

    /// Bits of a literal, 1 to 11. Pixels have no more than 8, but some encoders choose a wider code.
    let minimumCodeSize: Int

    /// Decodes until all pixels are there, the end code, the end of the input, or a code that means nothing.
    ///
    /// - Parameter output: Room for the pixels, one byte each, and ``outputSlack``.
    /// - Returns: How many pixels were decoded.
    func decode(_ input: Span<UInt8>, into output: inout MutableRawSpan) -> Int {
        let pixelCount = output.byteCount - Self.outputSlack
        let clearCode = 1 << minimumCodeSize
        let endCode = clearCode + 1
        var bits = BitReader()
        var dictionary = StringTable(literalCount: clearCode)
        var codeSize = minimumCodeSize + 1
        var previous: Entry?
        var written = 0
        while written < pixelCount, let code = bits.next(codeSize, from: input), code != endCode {
            if code == clearCode {
                dictionary.count = endCode + 1
                (codeSize, previous) = (minimumCodeSize + 1, nil)
                continue
            }
            guard var entry = dictionary.entry(for: code, after: previous) else { break }
            if let previous, dictionary.append(previous.extended(by: entry.firstByte)),
                dictionary.count == 1 << codeSize, codeSize < Self.maximumCodeSize
            {
                codeSize += 1
            }
            entry.copy(to: written, of: &output, limit: pixelCount)
            entry.place = UInt32(truncatingIfNeeded: written)
            previous = entry
            written = min(written + Int(entry.length), pixelCount)
        }
        return written
    }
}

/// A string of the dictionary.
private struct Entry {
    /// The first eight bytes, the first of them lowest; those past the string's end are 0.
    var head: UInt64 = 0
    /// Where the string stands in the output. 32 bits suffice: a GIF frame has under 2³² pixels.
    var place: UInt32 = 0
    var length: UInt32 = 0

    static let headLength = 8

    var firstByte: UInt8 { UInt8(truncatingIfNeeded: head) }

    /// The string and `byte`, which is what follows it in the output.
    @inline(__always)
    func extended(by byte: UInt8) -> Entry {
        let added = length < Self.headLength ? UInt64(byte) &<< UInt64(length &* 8) : 0
        return Entry(head: head | added, place: place, length: length &+ 1)
    }

    /// Writes the string, and up to seven bytes of nothing behind it.
    ///
    /// A string of more than eight bytes stands at least eight bytes before the place that it is copied to, even the
    /// one that is being defined, so whole words are read after they were written.
    @inline(__always)
    func copy(to start: Int, of output: inout MutableRawSpan, limit: Int) {
        output.storeBytes(of: UInt64(littleEndian: head), toByteOffset: start, as: UInt64.self)
        guard length > Self.headLength else { return }
        let count = min(Int(length), limit - start)
        for offset in stride(from: Self.headLength, to: count, by: Self.headLength) {
            let word = output.bytes.unsafeLoadUnaligned(fromByteOffset: Int(place) + offset, as: UInt64.self)
            output.storeBytes(of: word, toByteOffset: start + offset, as: UInt64.self)
        }
    }
}

/// The strings by code: the literals, two unused places for the clear and the end code, and what was seen since.
private struct StringTable {
    static let capacity = 1 << 12

    private var entries: [Entry]
    /// The next code that will get a string.
    var count: Int

    init(literalCount: Int) {
        entries = (0..<Self.capacity).map { Entry(head: UInt64($0 & 0xFF), length: 1) }
        count = literalCount + 2
    }

    /// The string of `code`; the next code that is not defined yet stands for the string that it will be given: the
    /// previous one and its own first byte.
    @inline(__always)
    func entry(for code: Int, after previous: Entry?) -> Entry? {
        if code < count { return entries[code] }
        guard let previous, code == count else { return nil }
        return previous.extended(by: previous.firstByte)
    }

    /// Adds a string; false when the dictionary is full, which is no error: the encoder defers its clear code.
    @inline(__always)
    mutating func append(_ entry: Entry) -> Bool {
        guard count < Self.capacity else { return false }
        entries[count] = entry
        count += 1
        return true
    }
}

/// Takes codes out of bytes, the lowest bit first.
private struct BitReader {
    private var position = 0
    private var buffer: UInt64 = 0
    private var count = 0

    /// The next code of `size` bits, at most 12; nil when the input has no whole code left.
    @inline(__always)
    mutating func next(_ size: Int, from input: Span<UInt8>) -> Int? {
        while count < size {
            guard position < input.count else { return nil }
            buffer |= UInt64(input[position]) &<< UInt64(count)
            position += 1
            count += 8
        }
        defer {
            buffer &>>= UInt64(size)
            count -= size
        }
        return Int(buffer & ((1 &<< UInt64(size)) - 1))
    }
}
