import Foundation
import Testing
import WebImageCore

@testable import WebImageTestDoubles

@Suite("Passwords in texts", .timeLimit(.minutes(5)))
struct PasswordTests {
    @Test(
        "each password of a URL in a text is hidden, and nothing else",
        arguments: [
            ("https://ada:secret@host/a.jpg", "https://ada:***@host/a.jpg"),
            ("https://:secret@host", "https://:***@host"),
            ("https://ada:se%2Fcr%40et@host:8080/a@2x.jpg?b=c:d@e", "https://ada:***@host:8080/a@2x.jpg?b=c:d@e"),
            ("https://ada:se@cr:et@host/a.jpg", "https://ada:***@host/a.jpg"),
            ("https://ada:se/cret@host/a.jpg", "https://ada:***@host/a.jpg"),
            ("https://ada:se?cr#et@host/a.jpg", "https://ada:***@host/a.jpg"),
            (
                "redirected to ftp://a:b@c; last from http://d:e@f",
                "redirected to ftp://a:***@c; last from http://d:***@f"
            ),
            ("\"url\":\"https://a:b@c/\",\"given\":\"d@e\"", "\"url\":\"https://a:***@c/\",\"given\":\"d@e\""),
            (
                "https://host:8080/a@2x.jpg: no answer; ask me@home",
                "https://host:8080/a@2x.jpg: no answer; ask me@home"
            ),
            ("https://[::1]:8080/a@2x.jpg", "https://[::1]:8080/a@2x.jpg"),
            ("https://ada:/secret@host/", "https://ada:***@host/"),
            ("https:/ada:secret@host/", "https:/ada:***@host/"), ("http:ada:secret@host", "http:ada:***@host"),
            ("see HTTP:\\\\ada:secret@host/", "see HTTP:\\\\ada:***@host/"), ("http: ada:b@host", "http: ada:b@host"),
            ("http:", "http:"), ("http:/@", "http:/@"), ("file:/ada:b@c", "file:/ada:b@c"),
            ("file:////ada:secret@host", "file:////ada:***@host"),
            ("https://host: me@home", "https://host: me@home"), ("file:///a:b@c.jpg", "file:///a:b@c.jpg"),
            ("https://host/a.jpg?token=secret", "https://host/a.jpg?token=secret"),
            ("https://ada@host/", "https://ada@host/"), ("https://ada:@host/", "https://ada:@host/"),
            ("https://ada:*0123456789abcdef@host/", "https://ada:*0123456789abcdef@host/"),
            ("12:30 me@home", "12:30 me@home"), ("", ""), ("@", "@"), ("://@", "://@"), ("a://b:", "a://b:"),
        ])
    func prose(text: String, expected: String) { #expect(text.withoutPasswords == expected) }

    @Test(
        "an address as it was typed shows no password, whatever is wrong with it",
        arguments: [
            ("http:/ada:secret@host/a.jpg", "http:/ada:***@host/a.jpg"),
            ("ada:secret@host/a.jpg", "ada:***@host/a.jpg"), ("//ada:secret@host/a.jpg", "//ada:***@host/a.jpg"),
            ("ada@home:secret@host/a.jpg", "ada@home:***@host/a.jpg"),
            ("https://ada:se cr\"et@host/a.jpg", "https://ada:***@host/a.jpg"),
            ("https://ada:se c/r<et@host/a.jpg", "https://ada:***@host/a.jpg"),
            ("asset:icon@2x.png", "asset:icon@2x.png"), ("data:text/plain,a@b", "data:text/plain,a@b"),
            ("./a:b@c.jpg", "./a:b@c.jpg"), ("file:///a:b@c.jpg", "file:///a:b@c.jpg"), ("a@b:c", "a@b:c"),
        ])
    func address(text: String, expected: String) { #expect(text.addressWithoutPassword == expected) }

    @Test("a password is hidden before its end is cut away")
    func cut() throws {
        let text = "https://ada:\(String(repeating: "secret", count: 40))@host/\(String(repeating: "a", count: 300))"
        #expect(!text.abbreviated(to: 100).contains("secret"))
        #expect(text.abbreviated(to: 100).hasPrefix("https://ada:***@host/"))
    }

    @Test("an error, its reason and a warning have no password")
    func exits() async throws {
        let error = WebImageError(
            .tooManyRedirects, stage: .load, kind: .permanent, reason: "redirected to https://ada:secret@host/b.jpg",
            url: try parsed("https://ada:secret@host/a.jpg"))
        #expect(error.reason == "redirected to https://ada:***@host/b.jpg")
        #expect(error.description == "https://ada:***@host/a.jpg: redirected to https://ada:***@host/b.jpg")
        #expect(error.localizedDescription == error.description)
    }
}
