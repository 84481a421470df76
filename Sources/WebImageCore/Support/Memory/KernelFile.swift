import Glibc

/// Small files that the kernel generates at each read, with unknown size.
enum KernelFile {
    /// The first 64 KiB of a file; nil when it cannot be read.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            while count < buffer.count {
                let length = read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
                guard length > 0 else { break }
                count += length
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The number that is the whole content of a file.
    static func number(_ path: String) -> Int? {
        guard let text = text(path), let line = text.split(separator: "\n").first else { return nil }
        return Int(line)
    }

    /// The number after `name` in a text of lines like `name 12`.
    static func field(_ name: String, of text: String) -> Int? {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, words[0] == name { return Int(words[1]) }
        }
        return nil
    }
}
