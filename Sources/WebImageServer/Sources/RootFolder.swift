import CLinux
import Glibc
import WebImageCore
import WebImageHTTP

/// A directory out of which no path leads: neither by `..` nor by links.
struct RootFolder: Sendable {
    /// How a path is followed.
    enum Way: Sendable {
        /// By the kernel, since Linux 5.6: links are followed that stay below the root.
        case kernel
        /// One name after the other, without any link.
        case names
    }

    /// Of the directory itself; links in it are followed.
    let path: String
    private let way: Way

    /// - Parameter way: By default the kernel, where it can.
    init(path: String, way: Way? = nil) {
        self.path = path
        self.way = way ?? Self.usualWay
    }

    /// The descriptor of a file, open for reading without waiting, and its name for the whole system.
    ///
    /// - Parameter file: The bytes of its path below the root, without zero bytes.
    func open(_ file: [UInt8]) throws(WebImageError) -> (descriptor: Int32, path: [UInt8]) {
        let names = file.split(separator: UInt8(ascii: "/"))
        guard !names.contains(where: { $0.elementsEqual("..".utf8) }) else { throw .outside }
        let folder = Glibc.open(path, webimage_open_place | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw errno == ENOENT ? .noRoot : .file(errno) }
        defer { close(folder) }
        let relative = Array(names.joined(separator: "/".utf8))
        let descriptor = way == .kernel ? Self.openByKernel(relative, in: folder) : Self.openByNames(names, in: folder)
        guard descriptor >= 0 else {
            // EXDEV: out of the root; ELOOP: a link where none may be.
            let error = errno
            throw error == EXDEV || error == ELOOP ? .outside : .file(error)
        }
        return (descriptor, Array(path.utf8) + [UInt8(ascii: "/")] + relative)
    }

    private static let usualWay: Way = {
        let folder = Glibc.open("/", webimage_open_place | O_DIRECTORY | O_CLOEXEC)
        let descriptor = openByKernel([UInt8(ascii: ".")], in: folder)
        defer { for open in [folder, descriptor] where open >= 0 { close(open) } }
        // Lists of system calls refuse it with errors of their own.
        return descriptor >= 0 ? .kernel : .names
    }()

    private static func openByKernel(_ file: [UInt8], in folder: Int32) -> Int32 {
        file.withPath { file in
            var descriptor: Int32 = -1
            // EAGAIN: something in the way was renamed meanwhile.
            for _ in 0..<8 {
                descriptor = webimage_open_beneath(folder, file)
                if descriptor >= 0 || errno != EAGAIN && errno != EINTR { break }
            }
            return descriptor
        }
    }

    private static func openByNames(_ names: [ArraySlice<UInt8>], in root: Int32) -> Int32 {
        guard let last = names.last else {
            errno = EISDIR
            return -1
        }
        var folder = root
        defer { if folder != root { close(folder) } }
        for name in names.dropLast() {
            let next = Array(name).withPath {
                openat(folder, $0, webimage_open_place | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            }
            // A link is no directory here.
            guard next >= 0 else { return -1 }
            if folder != root { close(folder) }
            folder = next
        }
        return Array(last).withPath { openat(folder, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
    }
}

extension [UInt8] {
    /// Calls `body` with the bytes as a text of C.
    fileprivate func withPath(_ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
        (self + [0]).withUnsafeBytes { bytes in
            bytes.bindMemory(to: CChar.self).baseAddress.map(body) ?? -1
        }
    }
}

extension WebImageError {
    fileprivate static let outside = WebImageError(
        .accessDenied, stage: .load, kind: .policy,
        reason: "the path leads out of the service's directory, or over a link; name a file in it")

    fileprivate static let noRoot = WebImageError(
        .fileFailed, stage: .load, kind: .transient,
        reason: "the service's directory is not there; check its setting")
}
