import FoundationEssentials
import Testing
import WebImage
import WebImageCore

@testable import WebImageServer
@testable import WebImageTestDoubles
@testable import WebImageTesting

@Suite("Objects of S3", .timeLimit(.minutes(5)))
struct S3LoaderTests {
    private let store: LoopbackOrigin
    private static let verifier = SignatureVerifier(
        secrets: ["AK": "se/cr+et=", "TEMPORARY": "short"], region: "eu-test-1", tokens: ["TEMPORARY": "to/ken+1=="])

    init() throws {
        store = try LoopbackOrigin()
        store.fallback = { request in
            if let fault = Self.verifier.fault(of: request) { return .text(fault, status: 403) }
            return request.path.hasSuffix("missing")
                ? .text("NoSuchKey", status: 404) : .text("picture").validated(etag: "\"1\"")
        }
    }

    private func loader(
        key: String? = "AK", secret: String = "se/cr+et=", token: String? = nil, hasBucketInPath: Bool? = nil,
        endpoint: URL? = nil
    ) throws -> S3Loader {
        let settings = try S3Settings(
            region: "eu-test-1", endpoint: (endpoint ?? store.url()).absoluteString, hasBucketInPath: hasBucketInPath,
            accessKey: key, secret: secret, sessionToken: token)
        var config = WebImageDownloaderConfig()
        config.proxy = ""
        return S3Loader(settings: settings, config: config)
    }

    @Test("the verifier agrees with the example of AWS's documentation, and with nothing else")
    func example() {
        let verifier = SignatureVerifier(
            secrets: ["AKIAIOSFODNN7EXAMPLE": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"], region: "us-east-1")
        let signature = "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        var headers = [
            "host": "examplebucket.s3.amazonaws.com", "range": "bytes=0-9", "x-amz-date": "20130524T000000Z",
            "x-amz-content-sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "authorization": "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=\(signature)",
        ]
        let request = { (path: String, headers: [String: String]) in
            OriginRequest(
                number: 1, connectionNumber: 1, method: "GET", path: path, query: nil, headers: headers, body: Data())
        }
        #expect(verifier.fault(of: request("/test.txt", headers)) == nil)
        #expect(verifier.fault(of: request("/test.tx", headers)) == "wrong signature")
        headers["range"] = "bytes=0-8"
        #expect(verifier.fault(of: request("/test.txt", headers)) == "wrong signature")
    }

    @Test(
        "an object arrives, whatever its key",
        arguments: [
            "s3://bucket/a.jpg", "s3://bucket/a/b/c.jpg", "s3://bucket/a b.jpg", "s3://bucket/ä/猫.jpg",
            "s3://bucket/a+b.jpg",
            "s3://bucket/a%2Bb%25c.jpg", "s3://bucket/a=b&c;d:e@f,g!h$i'j(k)*l.jpg", "s3://bucket//a//b/",
            "s3://bucket/a#b~c^d`e|f.jpg",
            "s3://bucket/a%3Fb.jpg", "s3://bucket/a.jpg?versionId=v.1_2-3", "s3://bucket/a.jpg?a+b/c=",
            "s3://my.bucket/%FF",
        ])
    func keys(source: String) async throws {
        let url = try SourceRules(s3: S3Settings()).url(for: source)
        let response = try await RecordedLoad(url, by: try loader()).response
        #expect(response.data == Data("picture".utf8))
        #expect(store.requestCount("/") == 0 && store.requests.count == 1)
    }

    @Test("a name with the bucket in it is signed, too")
    func bucketInHost() async throws {
        let loader = try loader(hasBucketInPath: false, endpoint: store.url("/", host: "localhost"))
        #expect(
            try await RecordedLoad(try parsed("s3://bucket/a.jpg"), by: loader).response.data == Data("picture".utf8))
        #expect(store.requests.map { $0.header("host") } == ["bucket.localhost:\(store.port)"])
        #expect(store.requests.map(\.path) == ["/a.jpg"])
    }

    @Test("a key for some hours is sent with its token")
    func token() async throws {
        let url = try parsed("s3://bucket/a.jpg")
        let temporary = try loader(key: "TEMPORARY", secret: "short", token: "to/ken+1==")
        #expect(try await RecordedLoad(url, by: temporary).response.data == Data("picture".utf8))
        let wrong = try loader(key: "TEMPORARY", secret: "short", token: "old")
        #expect(await RecordedLoad(url, by: wrong).error?.statusCode == 403)
    }

    @Test("a wrong secret, an unknown key and no key are refused by the store, a missing object is missing")
    func refusals() async throws {
        let url = try parsed("s3://bucket/a.jpg")
        for loader in [try loader(secret: "wrong"), try loader(key: "OTHER"), try loader(key: nil)] {
            let error = try #require(await RecordedLoad(url, by: loader).error)
            #expect(error.code == .invalidDownloadStatusCode && error.statusCode == 403 && error.url == url)
        }
        let missing = try #require(await RecordedLoad(try parsed("s3://bucket/missing"), by: try loader()).error)
        #expect(missing.statusCode == 404 && missing.description.hasPrefix("s3://bucket/missing: "))
        #expect(await RecordedLoad(try parsed("s3://a@b/c"), by: try loader()).error?.code == .invalidURL)
    }

    @Test("an object that has not changed is not sent again")
    func unchanged() async throws {
        var request = ImageLoadRequest(url: try parsed("s3://bucket/a.jpg"))
        request.validators = ["If-None-Match": "\"1\""]
        #expect(await RecordedLoad(request, by: try loader()).error?.code == .cacheNotModified)
    }

    @Test("no redirect of a store is followed")
    func redirects() async throws {
        let other = try LoopbackOrigin()
        other.fallback = { _ in .text("secret") }
        store.fallback = { _ in .redirect(to: other.url("/a").absoluteString) }
        let error = try #require(await RecordedLoad(try parsed("s3://bucket/a.jpg"), by: try loader()).error)
        #expect(error.code == .tooManyRedirects)
        #expect(other.connectionCount == 0)
    }

    @Test("a load's own Authorization and cookies do not get to the store")
    func foreignFields() async throws {
        var request = ImageLoadRequest(
            url: try parsed("s3://bucket/a.jpg"), headers: ["authorization": "Bearer 1", "Cookie": "a=b", "X-Own": "1"])
        request.usesCookies = true
        #expect(try await RecordedLoad(request, by: try loader()).response.data == Data("picture".utf8))
        #expect(store.requests.allSatisfy { $0.header("cookie") == nil && $0.header("x-own") == "1" })
    }

    @Test("the secret and the token are in no error, key or log, and not in the requests")
    func secrecy() async throws {
        let (secret, token) = ("very-secret-key", "very-secret-token")
        let loader = try loader(key: "AK", secret: secret, token: token)
        var texts: [String] = []
        for source in ["s3://bucket/a.jpg", "s3://bucket/missing", "s3://b@d/c"] {
            let load = RecordedLoad(try parsed(source), by: loader)
            let error = try #require(await load.error)
            texts += ["\(error)", String(reflecting: error), error.reason, "\(String(describing: error.response))"]
            texts += ["\(load.events)", "\(CacheKey(source))"]
        }
        var dumped = ""
        dump(loader, to: &dumped)
        texts.append(dumped)
        #expect(texts.allSatisfy { !$0.contains("very-secret") })
        let sent = store.requests.map { "\($0.target) \($0.headers.filter { $0.key != "x-amz-security-token" })" }
        #expect(sent.count == 2 && sent.allSatisfy { !$0.contains("very-secret") })
    }

    @Test("what one key has brought is shown to no load without it")
    func rights() async throws {
        let picture = try Fixtures.data("gray.jpg")
        store.fallback = { request in
            Self.verifier.fault(of: request).map { .text($0, status: 403) } ?? .picture(picture)
        }
        let cache = ImageCache(memoryCache: MemoryCache(), diskCache: DictionaryDisk())
        let url = try parsed("s3://bucket/a.jpg")
        for (loader, isShown) in [(try loader(), true), (try loader(key: nil), false), (try loader(), true)] {
            let manager = WebImageManager(cache: cache, loader: loader)
            let result = try? await manager.image(for: ImageRequest(url))
            #expect((result != nil) == isShown)
        }
    }
}
