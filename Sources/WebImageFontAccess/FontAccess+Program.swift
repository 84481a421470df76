import CFontBroker
import WebImageDecoder

extension FontAccess {
    /// The fonts of fontconfig, and the tables of characters that poppler reads beside them.
    package static let ofProgram = FontAccess(
        files: {
            var files: Set<String> = []
            webimage_each_font_file(&files) { files, path in
                guard let path else { return }
                files?.assumingMemoryBound(to: Set<String>.self).pointee.insert(String(cString: path))
            }
            return files
        }, folders: ["/usr/share/poppler/"], ask: webimage_ask_for_files)
}
