import FoundationEssentials
import Testing

@testable import webimage_gallery

@Suite struct HTMLPicturesTests {
    private func found(_ html: String, at page: String) throws -> [FoundPicture] {
        HTMLPictures.pictures(in: Data(html.utf8), at: try #require(URL(string: page)))
    }

    private func pictures(_ html: String, at page: String = "https://host/albums/day.html") throws -> [String] {
        try found(html, at: page).map(\.url.absoluteString)
    }

    @Test("pictures are found by all their attributes, in the order of the page")
    func attributes() throws {
        let html = """
            <meta property="og:image" content="/cover.jpg"><body><img src=a.jpg><IMG SRC='b.png' alt="x > y">
            <img src="tiny.gif" data-src="late.jpg"><img srcset="s.jpg 100w, l.jpg 900w, m.jpg 400w" src="s.jpg">
            <img data-srcset="one.jpg, two.jpg 2x"><a href="big.webp?size=1#top">big</a><a href="more.html">no</a>
            """
        #expect(
            try pictures(html) == [
                "https://host/cover.jpg", "https://host/albums/a.jpg", "https://host/albums/b.png",
                "https://host/albums/late.jpg", "https://host/albums/l.jpg", "https://host/albums/two.jpg",
                "https://host/albums/big.webp?size=1",
            ])
    }

    @Test("a source of a picture element stands for its img; one whose format is unknown does not")
    func sources() throws {
        let html = """
            <picture><source type="image/x-future" srcset="no.xyz"><source type="image/webp" srcset="a.webp 1x, b.webp 2x">
            <img src="a.jpg"></picture><picture><source srcset="alone.jpg"></picture><img src="next.jpg">
            """
        #expect(try pictures(html).compactMap { $0.split(separator: "/").last } == ["b.webp", "alone.jpg", "next.jpg"])
    }

    @Test("a source for some screens has another part of the picture: it counts only where there is nothing else")
    func partsOfPictures() throws {
        let html = """
            <picture><source media="(max-width: 600px)" srcset="face.jpg 1x, face2.jpg 2x"><img src="whole.jpg"></picture>
            <picture><source media="(max-width: 600px)" srcset="a.jpg"><source srcset="b.webp"><img src="c.jpg"></picture>
            <picture><source media="print" srcset="alone.jpg"><source media="screen" srcset="other.jpg"></picture>
            <picture><source media="print" srcset="late.jpg"><img src="data:image/gif;base64,R0lGOD"></picture><img src=d.jpg>
            """
        #expect(
            try pictures(html).compactMap { $0.split(separator: "/").last } == [
                "whole.jpg", "b.webp", "alone.jpg", "late.jpg", "d.jpg",
            ])
    }

    @Test("a link to a picture stands for the small one in it, and for no other")
    func links() throws {
        let html =
            "<a href=big.jpg><img src=small.jpg></a><img src=a.jpg><a href=b.jpg>never closed<img src=s.jpg><img src=c.jpg>"
        #expect(
            try pictures(html).compactMap { $0.split(separator: "/").last } == ["big.jpg", "a.jpg", "b.jpg", "c.jpg"])
    }

    @Test(
        "a link to a page about a picture is none, whatever its name",
        arguments: [
            "/wiki/File:Big.jpg", "https://host/wiki/Datei%3ABig.jpg?x=a.jpg", "/ada/repo/blob/main/docs/big.png",
        ])
    func pagesAboutPictures(address: String) throws {
        #expect(try pictures("<a href=\"\(address)\"><img src=//upload/small.jpg></a>") == ["https://upload/small.jpg"])
    }

    @Test("the picture within a link is kept for the case that the link leads to none")
    func previews() throws {
        let found = try found("<a href=big.jpg><img src=small.jpg></a><img src=a.jpg>", at: "https://host/")
        #expect(found.map(\.preview?.lastPathComponent) == ["small.jpg", nil])
    }

    @Test("what stands in for a picture until it is seen is not the picture")
    func late() throws {
        let blank = "data:image/gif;base64,R0lGOD"
        let html = """
            <img srcset="\(blank) 1w" data-srcset="a.jpg 1w, b.jpg 2w" src="s.jpg"><img srcset="\(blank)" data-src="c.jpg">
            <img srcset="\(blank) 9w, d.jpg 2w" data-src="x.jpg"><img srcset="DATA:x" src="e.jpg">
            <picture><source srcset="\(blank)" data-srcset="f.jpg"><img src="s.jpg"></picture>
            <picture><source srcset="\(blank)"><img src="g.jpg"></picture>
            """
        #expect(
            try pictures(html).compactMap { $0.split(separator: "/").last } == [
                "b.jpg", "c.jpg", "d.jpg", "e.jpg", "f.jpg", "g.jpg",
            ])
    }

    @Test("a scheme may be in capitals")
    func capitals() throws {
        let html = "<img src=HTTP://other/a.jpg><img src=//other/b.jpg><img src=HTTPS:///><img src=FILE:///a.jpg>"
        let found = try found(html, at: "HTTPS://host/").map(\.url)
        #expect(found.map { $0.host() } == ["other", "other"])
        #expect(try pictures("<img src=a.jpg>", at: "FILE:///x/page.html").count == 1)
    }

    @Test("addresses: relative, from the host, without a scheme, with entities, spaces and line ends; each once")
    func addresses() throws {
        let html = """
            <img src="../a.jpg"><img src="/a.jpg"><img src="//other/b.jpg"><img src="c.jpg?x=1&amp;y=&#50;&#x33;&unknown;">
            <img src="  d e.jpg
            "><img src="http://host/#"><img src=""><img src="javascript:alert(1)"><img src="data:image/gif;base64,R0lG">
            """
        #expect(
            try pictures(html) == [
                "https://host/a.jpg", "https://other/b.jpg", "https://host/albums/c.jpg?x=1&y=23&unknown;",
                "https://host/albums/d%20e.jpg", "http://host/",
            ])
    }

    @Test("spaces around an address are no part of it, whatever it leads to")
    func spaces() throws {
        #expect(
            try pictures("<img src=' a.jpg  '><a href=' big.jpg '>big</a><img src='b.jpg #top'>") == [
                "https://host/albums/a.jpg", "https://host/albums/big.jpg", "https://host/albums/b.jpg",
            ])
    }

    @Test("the first base counts, also after the pictures; it may be relative itself")
    func base() throws {
        let html = "<img src=a.jpg><base href=\"//cdn/x/\"><base href=\"//no/\"><img src=/b.jpg>"
        #expect(try pictures(html) == ["https://cdn/x/a.jpg", "https://cdn/b.jpg"])
    }

    @Test("a page on the web names no files; a file does, and pictures of the web")
    func files() throws {
        let html = "<img src=\"file:///etc/a.jpg\"><img src=\"b.jpg\"><img src=\"http://host/c.jpg\">"
        #expect(try pictures(html) == ["https://host/albums/b.jpg", "http://host/c.jpg"])
        #expect(
            try pictures(html, at: "file:///tmp/page.html")
                == ["file:///etc/a.jpg", "file:///tmp/b.jpg", "http://host/c.jpg"])
    }

    @Test("scripts, styles and comments have no pictures; what is for browsers without scripts has")
    func scripts() throws {
        let html = """
            <script>document.write('<img src="a.jpg">')</script><style><img src=b.jpg></style><!-- <img src="c.jpg"> -->
            <title><img src=d.jpg></title><noscript><img src="e.jpg"></noscript><!doctype html><?x <img src=f.jpg ?>
            <SCRIPT>"</scrip" <img src=g.jpg></SCRIPT ><img src=h.jpg>
            """
        #expect(try pictures(html).compactMap { $0.split(separator: "/").last } == ["e.jpg", "h.jpg"])
    }

    @Test(
        "a broken page has the pictures before the break",
        arguments: [
            "<img src=a.jpg", "<img src=\"a.jpg\"<b", "<img src=a.jpg><", "<img src=a.jpg></", "<img src=a.jpg><!--",
            "<img src=a.jpg><script>", "<img src=a.jpg><img src=\"b.jpg", "<<img src=a.jpg>", "<img = / = src = a.jpg>",
            "<img src=a.jpg src=b.jpg>", "<p><b><div><img/src=a.jpg />", "<img src='a.jpg'/><picture><source",
        ])
    func broken(html: String) throws { #expect(try pictures(html).first == "https://host/albums/a.jpg") }

    @Test("bytes that are no text do no harm")
    func bytes() throws {
        var data = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) })
        data += Data("<img src=a.jpg>".utf8)
        _ = HTMLPictures.pictures(in: data, at: try #require(URL(string: "http://host/")))
    }

    @Test(
        "a megabyte of attributes, of open tags, of quotes or of entities is read once", .timeLimit(.minutes(5)),
        arguments: [
            "<a ", "<img ", "x=y ", "<!-", "</script", "&amp;", "<img src=\"&&&&", "<script><", "\"'", "a.jpg 1w,",
        ])
    func large(piece: String) throws {
        // A reader that goes back at each piece would take an hour.
        let text = String(repeating: piece, count: 1_000_000 / piece.utf8.count)
        _ = try pictures("<img srcset=\"" + text)
        _ = try pictures(text)
    }

    @Test("a page has no more pictures than the gallery takes")
    func many() throws {
        let html = (0..<(HTMLPictures.limit + 500)).map { "<img src=\($0).jpg>" }.joined()
        #expect(try pictures(html).count == HTMLPictures.limit)
    }

    @Test("the largest address of a set, by width or density; commas within an address belong to it")
    func sourceSet() {
        #expect(SourceSet.largest("a.jpg") == "a.jpg")
        #expect(SourceSet.largest(" a.jpg 1x,b.jpg 2x , c.jpg") == "b.jpg")
        #expect(SourceSet.largest("a,b.jpg 100w, c,d.jpg 200w") == "c,d.jpg")
        #expect(SourceSet.largest("a.jpg 9z, b.jpg xx, c.jpg -3w") == "a.jpg")
        #expect(SourceSet.largest(", ,") == nil)
    }
}
