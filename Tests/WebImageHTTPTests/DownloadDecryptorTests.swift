import Dispatch
import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Download decryptors", .timeLimit(.minutes(5)))
struct DownloadDecryptorTests {
    private let origin: LoopbackOrigin
    private let downloader = WebImageDownloader.direct()

    init() throws {
        origin = try LoopbackOrigin()
        origin.serve("/a", .text("secret").header("X-Key", "7"))
    }

    private func request(_ decryptor: (any DownloadDecryptor)?) -> ImageLoadRequest {
        var request = ImageLoadRequest(url: origin.url("/a"))
        request.decryptor = decryptor
        return request
    }

    @Test("DL-17 a decryptor gets the whole body and the head, and the load gets its result")
    func decrypt() async throws {
        downloader.decryptor = WebImageDownloaderDecryptor { data, response in
            Data("\(String(decoding: data, as: UTF8.self)) \(response?.header("x-key") ?? "")".utf8)
        }
        let load = RecordedLoad(origin.url("/a"), by: downloader)
        #expect(try await load.response.data == Data("secret 7".utf8))
        #expect(try await load.response.http?.header("x-key") == "7")
        #expect(load.hasEndedOnce)
        #expect(downloader.currentDownloadCount == 0)
    }

    @Test("DL-17 a decryptor sees the head that the response modifier returned")
    func modifiedHead() async throws {
        let seen = Observed<String?>(nil)
        var request = request(
            WebImageDownloaderDecryptor { data, response in
                seen.update { $0 = response?.header("x-key") }
                return data
            })
        request.responseModifier = WebImageDownloaderResponseModifier(headers: ["X-Key": "8"])
        _ = try await RecordedLoad(request, by: downloader).response
        #expect(seen.value == "8")
    }

    @Test("DL-17 a decryptor that returns nothing fails the load", arguments: [nil, Data()])
    func refused(data: Data?) async throws {
        let load = RecordedLoad(request(WebImageDownloaderDecryptor { _, _ in data }), by: downloader)
        let error = try #require(await load.error)
        #expect(error.code == .badImageData)
        #expect(error.reason.contains("decryptor"))
        #expect(error.response?.statusCode == 200)
        #expect(error.url == origin.url("/a"))
        #expect(load.hasEndedOnce)
    }

    @Test("DL-17 a failed load is not decrypted")
    func failure() async throws {
        origin.serve("/a", .text("sorry", status: 404))
        let calls = Observed(0)
        let decryptor = WebImageDownloaderDecryptor { data, _ in
            calls.update { $0 += 1 }
            return data
        }
        #expect(await RecordedLoad(request(decryptor), by: downloader).error?.statusCode == 404)
        #expect(calls.value == 0)
    }

    @Test("CTX-25 a load's decryptor replaces the downloader's; they are not chained")
    func ownDecryptor() async throws {
        downloader.decryptor = WebImageDownloaderDecryptor { data, _ in data + Data("D".utf8) }
        let own = WebImageDownloaderDecryptor { data, _ in data + Data("L".utf8) }
        #expect(try await RecordedLoad(request(own), by: downloader).response.data == Data("secretL".utf8))
        #expect(try await RecordedLoad(request(nil), by: downloader).response.data == Data("secretD".utf8))
    }

    @Test("DL-17 loads with different decryptors share the transfer, and each decryptor runs once")
    func shared() async throws {
        let gate = Gate()
        origin.serve("/a", OriginResponse(body: Data("secret".utf8)).held(by: gate))
        let calls = Observed<[String: Int]>([:])
        let decryptors = ["1", "2"].map { name in
            WebImageDownloaderDecryptor { data, _ in
                calls.update { $0[name, default: 0] += 1 }
                return data + Data(name.utf8)
            }
        }
        let loads = (0..<10).map { number in
            RecordedLoad(request(number == 9 ? nil : decryptors[number % 2]), by: downloader)
        }
        try await downloader.settle()
        gate.open()
        for (number, load) in loads.enumerated() {
            let expected = number == 9 ? "secret" : "secret\(number % 2 + 1)"
            #expect(try await load.response.data == Data(expected.utf8))
        }
        #expect(loads.allHaveEndedOnce)
        #expect(calls.value == ["1": 1, "2": 1])
        #expect(origin.requests.count == 1)
    }

    private struct ValueDecryptor: DownloadDecryptor {
        let calls: Observed<Int>

        func decrypt(_ data: Data, response: HTTPResponse?) -> Data? {
            calls.update { $0 += 1 }
            return data
        }
    }

    @Test(
        "DL-17 a decryptor that cannot be compared runs for each load, except the downloader's own", arguments: [3, 1])
    func values(count: Int) async throws {
        let (gate, calls) = (Gate(), Observed(0))
        origin.serve("/a", OriginResponse(body: Data("secret".utf8)).held(by: gate))
        if count == 1 { downloader.decryptor = ValueDecryptor(calls: calls) }
        let loads = (0..<3).map { _ in
            RecordedLoad(request(count == 1 ? nil : ValueDecryptor(calls: calls)), by: downloader)
        }
        try await downloader.settle()
        gate.open()
        for load in loads { _ = try await load.response }
        #expect(calls.value == count)
        #expect(origin.requests.count == 1)
    }

    @Test("a decrypted body is released with its load, while the thread sleeps")
    func isLetGo() async throws {
        let isGone = Gate()
        let decryptor = WebImageDownloaderDecryptor { _, _ in
            let bytes = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 1)
            bytes.initializeMemory(as: UInt8.self, repeating: 1, count: 8)
            return Data(
                bytesNoCopy: bytes, count: 8,
                deallocator: .custom { bytes, _ in
                    bytes.deallocate()
                    isGone.open()
                })
        }
        #expect(try await byteCount(of: request(decryptor)) == 8)
        try await isGone.wait()
    }

    private func byteCount(of request: ImageLoadRequest) async throws -> Int {
        try await RecordedLoad(request, by: downloader).response.data.count
    }

    @Test("OPT-2 bytes to be decrypted are not reported as they arrive; others of the same transfer are")
    func noData() async throws {
        let gate = Gate()
        origin.serve("/a", OriginResponse(body: sampleBytes(50_000)).held(by: gate, afterBytes: 20_000))
        var encrypted = request(WebImageDownloaderDecryptor { data, _ in data })
        encrypted.reportsData = true
        var plain = request(nil)
        plain.reportsData = true
        let (encryptedLoad, plainLoad) = (RecordedLoad(encrypted, by: downloader), RecordedLoad(plain, by: downloader))
        await encryptedLoad.waitForProgress { $0.receivedByteCount == 20_000 }
        await plainLoad.waitForProgress { $0.receivedByteCount == 20_000 }
        gate.open()
        _ = try await encryptedLoad.response
        _ = try await plainLoad.response
        #expect(!encryptedLoad.events.contains { if case .data = $0 { true } else { false } })
        #expect(plainLoad.events.contains { if case .data = $0 { true } else { false } })
    }

    @Test("DL-17 a load that is cancelled during its decryption ends once, at once, as cancelled; the others continue")
    func cancellation() async throws {
        let (started, gate) = (Gate(), Gate())
        let decryptor = WebImageDownloaderDecryptor { data, _ in
            started.open()
            gate.waitBlocking()
            return data
        }
        let hold = Gate()
        origin.serve("/a", OriginResponse(body: Data("secret".utf8)).held(by: hold))
        let loads = (0..<2).map { _ in RecordedLoad(request(decryptor), by: downloader) }
        try await downloader.settle()
        hold.open()
        try await started.wait()
        loads[0].setPriority(.high)
        loads[0].cancel()
        #expect(await loads[0].error?.code == .cancelled)
        #expect(downloader.currentDownloadCount == 1)
        gate.open()
        #expect(try await loads[1].response.data == Data("secret".utf8))
        try await downloader.settle()
        #expect(loads.allHaveEndedOnce)
    }

    @Test(
        "DL-17 cancelling all ends running decryptions, and so does releasing the downloader",
        arguments: [true, false])
    func cancelAll(explicitly: Bool) async throws {
        let (started, gate) = (Gate(), Gate())
        let decryptor = WebImageDownloaderDecryptor { data, _ in
            started.open()
            gate.waitBlocking()
            return data
        }
        var downloader: WebImageDownloader? = .direct()
        let load = try RecordedLoad(request(decryptor), by: #require(downloader), keepsLoader: false)
        try await started.wait()
        if explicitly { downloader?.cancelAll() } else { downloader = nil }
        #expect(await load.error?.code == .cancelled)
        gate.open()
        #expect(load.hasEndedOnce)
        _ = downloader
    }

    @Test("DL-17 a load that begins during a decryption is a request of its own")
    func laterLoad() async throws {
        let (started, gate) = (Gate(), Gate())
        let decryptor = WebImageDownloaderDecryptor { data, _ in
            started.open()
            gate.waitBlocking()
            return data
        }
        let first = RecordedLoad(request(decryptor), by: downloader)
        try await started.wait()
        let second = RecordedLoad(request(nil), by: downloader)
        #expect(try await second.response.data == Data("secret".utf8))
        #expect(first.endings.isEmpty)
        gate.open()
        #expect(try await first.response.data == Data("secret".utf8))
        #expect(origin.requests.count == 2)
    }

    @Test(
        "DL-17 the base64 decryptor ignores all other characters",
        arguments: [
            ("aGVsbG8=", "hello"), ("aGV\r\nsbG8=\n", "hello"), ("-- aGVs!bG8= --", "hello"), ("aGVsb", nil), ("", nil),
        ])
    func base64(text: String, expected: String?) {
        let data = WebImageDownloaderDecryptor.base64.decrypt(Data(text.utf8), response: nil)
        #expect(data.flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test("DL-17 one base64 decryptor serves all loads")
    func sharedBase64() async throws {
        origin.serve("/a", .text("aGVs\nbG8="))
        #expect(try await RecordedLoad(request(.base64), by: downloader).response.data == Data("hello".utf8))
    }
}
