import CFontBroker
import Glibc
import WebImageDecoder

extension FontAccess {
    /// The fonts of fontconfig, and the tables of characters that poppler reads beside them.
    package static let ofProgram = FontAccess(
        files: {
            var files: Set<[UInt8]> = []
            withUnsafeMutablePointer(to: &files) { files in
                webimage_each_font_file(files) { files, path in
                    guard let path else { return }
                    let bytes = UnsafeRawBufferPointer(start: path, count: strlen(path))
                    files?.assumingMemoryBound(to: Set<[UInt8]>.self).pointee.insert(Array(bytes))
                }
            }
            return files
        }, folders: ["/usr/share/poppler/"], ask: webimage_ask_for_files)
}
