import CCurl
import Glibc
import WebImageCore

/// A libcurl multi handle: many requests on one thread, and their connections.
///
/// Belongs to the transfer thread, except ``CurlWaker``.
final class CurlMulti {
    private let pointer: UnsafeMutableRawPointer
    let connections = ConnectionWatch()
    private var results: [UInt64: CURLcode] = [:]

    init() throws(WebImageError) {
        try CurlLibrary.start()
        guard let pointer = curl_multi_init() else {
            if errno == EMFILE || errno == ENFILE { throw .noFileDescriptor }
            throw .curl("libcurl has no memory for its connections")
        }
        self.pointer = pointer
        // Without the two descriptors of its waker, older versions work all the same, and could not be woken for life.
        guard curl_multi_wakeup(pointer) == CURLM_OK else { throw .noFileDescriptor }
        try set(CURLMOPT_PIPELINING, webimage_curl_pipe_multiplex)
    }

    deinit { curl_multi_cleanup(pointer) }

    var waker: CurlWaker { CurlWaker(pointer: pointer) }

    func set(_ option: CURLMoption, _ value: Int) throws(WebImageError) {
        try check(webimage_curl_multi_set_long(pointer, option, value))
    }

    /// Starts the request of `handle`, whose end is told with `number`.
    func add(_ handle: CurlHandle, number: UInt64) throws(WebImageError) {
        try handle.setClosing(by: connections)
        try handle.set(CURLOPT_PRIVATE, pointer: UnsafeMutableRawPointer(bitPattern: UInt(number)))
        try check(curl_multi_add_handle(pointer, handle.pointer))
    }

    /// Removes the request in any state; closes its connection or stream when the response is incomplete.
    func remove(_ handle: CurlHandle) {
        curl_multi_remove_handle(pointer, handle.pointer)
    }

    /// Does all work that needs no waiting.
    func perform() throws(WebImageError) {
        try connections.during { () throws(WebImageError) in
            var running: Int32 = 0
            try check(curl_multi_perform(pointer, &running))
        }
    }

    /// Waits for sockets, libcurl's own timers, the waker or `milliseconds`, whichever comes first.
    func poll(milliseconds: Int32) throws(WebImageError) {
        try check(curl_multi_poll(pointer, nil, 0, milliseconds, nil))
    }

    /// The number of the next request that has ended.
    func nextEnded() -> UInt64? {
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(pointer, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            let number = UInt64(webimage_curl_private_number(handle))
            results[number] = webimage_curl_message_result(message)
            return number
        }
        return nil
    }

    /// The result of the request with that number, once, after ``nextEnded()``.
    func takeResult(of number: UInt64) -> CURLcode? { results.removeValue(forKey: number) }

    private func check(_ result: CURLMcode) throws(WebImageError) {
        guard result != CURLM_OK else { return }
        throw .curl("libcurl stopped working: \(String(cString: curl_multi_strerror(result)))")
    }
}

/// Ends the transfer thread's wait.
///
/// `@unchecked Sendable`: `curl_multi_wakeup` is the one call that any thread may make on a multi handle, and
/// ``TransferMailbox`` makes it only while the handle lives.
struct CurlWaker: @unchecked Sendable {
    fileprivate let pointer: UnsafeMutableRawPointer

    func wake() { curl_multi_wakeup(pointer) }
}
