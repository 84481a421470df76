import Foundation
import Synchronization

/// Tells of each request in a line of JSON. Any thread.
final class AccessLog: Sendable {
    struct Entry: Encodable {
        let time: String
        let id: String
        let client: String
        let method: String
        let target: String
        let status: Int
        let bytes: Int
        let milliseconds: Double
        /// The place that the picture has come from.
        var from: String?
        var format: String?
        var error: String?
    }

    private let output: Mutex<FileHandle?>

    /// - Parameter place: `-` for standard output, a file's path, `off` for none.
    init(_ place: String) throws(PictureServerError) {
        switch place {
        case "off": output = Mutex(nil)
        case "-": output = Mutex(.standardOutput)
        default:
            let descriptor = open(place, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o640)
            guard descriptor >= 0 else {
                throw PictureServerError("access-log: \(place) cannot be written: \(String(cString: strerror(errno)))")
            }
            output = Mutex(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
        }
    }

    func note(_ entry: Entry) {
        output.withLock { output in
            guard let handle = output else { return }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
            guard var line = try? encoder.encode(entry) else { return }
            line.append(10)
            // A log that cannot be written must not end the service.
            do { try handle.write(contentsOf: line) } catch { output = nil }
        }
    }
}
