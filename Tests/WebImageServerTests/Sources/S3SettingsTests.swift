import Foundation
import Testing
import WebImageCore

@testable import WebImageServer

@Suite("Stores of objects")
struct S3SettingsTests {
    /// A home directory with the two files of AWS's programs.
    private final class Home {
        let url = FileManager.default.temporaryDirectory.appending(path: "webimage-\(UUID().uuidString)")

        init() throws {
            try FileManager.default.createDirectory(at: url.appending(path: ".aws"), withIntermediateDirectories: true)
            let credentials = """
                # the usual key
                [default]
                aws_access_key_id = AKDEFAULT
                aws_secret_access_key=default/secret+=
                [ci]
                aws_access_key_id=AKCI
                aws_secret_access_key=ci-secret
                aws_session_token = ci-token
                """
            let config = """
                [default]
                region = eu-west-1
                s3 =
                  region = nowhere
                  endpoint_url = http://nowhere
                [profile  ci]
                region=eu-central-1
                endpoint_url=https://store.example:9000/
                [profile other]
                aws_access_key_id = AKOTHER
                aws_secret_access_key = other-secret
                """
            try Data(credentials.utf8).write(to: url.appending(path: ".aws/credentials"))
            try Data(config.utf8).write(to: url.appending(path: ".aws/config"))
        }

        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private static func settings(_ variables: [String: String], home: String = "/nowhere") throws -> S3Settings {
        try S3Settings.fromEnvironment(["HOME": home].merging(variables) { $1 })
    }

    @Test("without variables and files requests are not signed, and go to AWS")
    func nothing() throws {
        let settings = try Self.settings([:])
        #expect(settings.credential == nil && settings.endpointAddress == "https://s3.us-east-1.amazonaws.com")
    }

    @Test("variables come before files, and an empty one is none")
    func variables() throws {
        let home = try Home()
        let settings = try Self.settings(
            [
                "AWS_ACCESS_KEY_ID": "AK", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "token",
                "AWS_REGION": "us-west-2",
                "AWS_DEFAULT_REGION": "us-west-1", "AWS_ENDPOINT_URL_S3": "http://127.0.0.1:9000",
                "AWS_ENDPOINT_URL": "http://127.0.0.1:1",
            ], home: home.url.path)
        #expect(settings.credential?.user == "AK" && settings.credential?.password == "secret")
        #expect(settings.credential?.signature?.sessionToken == "token")
        #expect(settings.region == "us-west-2" && settings.credential?.signature?.region == "us-west-2")
        #expect(settings.endpointAddress == "http://127.0.0.1:9000")
        let fromFiles = try Self.settings(
            ["AWS_ACCESS_KEY_ID": "", "AWS_DEFAULT_REGION": "us-west-1"], home: home.url.path)
        #expect(fromFiles.credential?.user == "AKDEFAULT" && fromFiles.credential?.password == "default/secret+=")
        #expect(fromFiles.region == "us-west-1" && fromFiles.credential?.signature?.sessionToken == nil)
    }

    @Test("a profile is in either file, and one that is named has to be there")
    func profiles() throws {
        let home = try Home()
        let usual = try Self.settings([:], home: home.url.path)
        #expect(usual.credential?.user == "AKDEFAULT" && usual.region == "eu-west-1" && usual.endpoint == nil)
        let named = try Self.settings(["AWS_PROFILE": "ci"], home: home.url.path)
        #expect(named.credential?.user == "AKCI" && named.credential?.signature?.sessionToken == "ci-token")
        #expect(named.region == "eu-central-1" && named.endpointAddress == "https://store.example:9000")
        #expect(try Self.settings(["AWS_PROFILE": "other"], home: home.url.path).credential?.user == "AKOTHER")
        let error = #expect(throws: AddressError.self) {
            try Self.settings(["AWS_PROFILE": "none"], home: home.url.path)
        }
        #expect(error?.reason.contains("profile none") == true && error?.reason.contains("secret") == false)
        let elsewhere = try Self.settings([
            "AWS_SHARED_CREDENTIALS_FILE": home.url.appending(path: ".aws/credentials").path, "AWS_PROFILE": "ci",
        ])
        #expect(elsewhere.credential?.user == "AKCI" && elsewhere.region == "us-east-1")
    }

    @Test("a region or an endpoint that is none is told so", arguments: ["eu west", "a:b", "", "x\r\ny"])
    func wrong(text: String) {
        #expect(throws: AddressError.self) { try S3Settings(region: text) }
        #expect(throws: AddressError.self) { try S3Settings(endpoint: text) }
    }

    @Test("an endpoint has no user, no query and no other scheme")
    func wrongEndpoints() {
        for text in ["ftp://a.b", "https://u:p@a.b", "https://a.b/?c", "https://a.b/#c", "https://"] {
            #expect(throws: AddressError.self) { try S3Settings(endpoint: text) }
        }
    }

    @Test("secrets are in no text of the settings")
    func printing() throws {
        let settings = try S3Settings(accessKey: "AK", secret: "very-secret", sessionToken: "token-secret")
        let rules = try SourceRules(s3: settings)
        var dumped = ""
        dump(rules, to: &dumped)
        for text in ["\(settings)", "\(rules)", String(reflecting: rules), dumped] {
            #expect(text.contains("AK") && !text.contains("secret"), "\(text)")
        }
    }

    @Test(
        "the bucket is in the host at AWS, and in the path elsewhere, and with a dot in its name",
        arguments: [
            (nil, nil, "s3://bucket/a b", "https://bucket.s3.eu-west-1.amazonaws.com/a%20b"),
            (nil, nil, "s3://my.bucket/a", "https://s3.eu-west-1.amazonaws.com/my.bucket/a"),
            (nil, true, "s3://bucket/a", "https://s3.eu-west-1.amazonaws.com/bucket/a"),
            ("http://127.0.0.1:9000/", nil, "s3://bucket/a?v=1", "http://127.0.0.1:9000/bucket/a?versionId=v%3D1"),
            ("https://store.example/base/", nil, "s3://bucket/a", "https://store.example/base/bucket/a"),
            ("https://store.example:9000", false, "s3://bucket/ä+", "https://bucket.store.example:9000/%C3%A4%2B"),
        ] as [(String?, Bool?, String, String)])
    func addresses(endpoint: String?, hasBucketInPath: Bool?, source: String, address: String) throws {
        let settings = try S3Settings(region: "eu-west-1", endpoint: endpoint, hasBucketInPath: hasBucketInPath)
        #expect(try S3Address(source).url(by: settings).absoluteString == address)
    }
}
