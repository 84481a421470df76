import Testing
import WebImageCore

@testable import WebImageServer

/// Each option, by all of its names.
@Suite("Processing options")
struct ProcessingOptionsTests {
    private static func options(_ text: String) throws -> ProcessingOptions {
        try ServiceAddress("/_/\(text)/plain/a", grammar: OptionGrammar()).options
    }

    @Test(
        "sizes",
        arguments: [
            ("resize:fill:300:400:1:1", "rs:fill:300:400:t:true"), ("size:300:400:0", "s:300:400:f"),
            ("resizing_type:force", "rt:force"), ("width:3", "w:3"), ("height:3", "h:3"), ("min-width:3", "mw:3"),
            ("min-height:3", "mh:3"), ("zoom:2:2", "z:2"), ("enlarge:1", "el:t"), ("extend:1:no", "ex:1:no:0:0"),
            ("extend_aspect_ratio:1", "exar:1:ce"), ("gravity:sm", "g:sm"), ("crop:0.5:100", "c:0.5:100"),
            ("trim:10:f0f", "t:10:ff00ff:0:0"), ("padding:1", "pd:1:1:1:1"), ("padding:1:2", "pd:1:2:1:2"),
            ("auto_rotate:0", "ar:f"), ("rotate:270", "rot:-90"),
        ])
    func geometry(long: String, short: String) throws {
        #expect(try Self.options(long) == Self.options(short))
        #expect(try Self.options(long) != ProcessingOptions())
    }

    @Test(
        "pixels, files and answers",
        arguments: [
            ("background:255:128:0", "bg:ff8000"), ("blur:1.5", "bl:1.5"), ("sharpen:0.7", "sh:0.7"),
            ("pixelate:4", "pix:4"), ("watermark:0.5:soea:10:10:0.2", "wm:0.5:soea:10:10:0.2"),
            ("wm:1:ce", "wm:1::0:0"),
            ("quality:80", "q:80"), ("format_quality:webp:60:avif:40", "fq:avif:40:webp:60"), ("max_bytes:10", "mb:10"),
            ("strip_metadata:1", "sm:t"), ("keep_copyright:0", "kcr:f"), ("strip_color_profile:1", "scp:1"),
            ("format:webp", "f:webp"), ("format:jpeg", "ext:jpg"), ("skip_processing:gif:svg", "skp:svg:gif"),
            ("raw:1", "raw:t"), ("cachebuster:abc", "cb:abc"), ("expires:1700000000", "exp:1700000000"),
            ("filename:a%20b", "fn:YSBi:1"), ("return_attachment:1", "att:t"),
        ])
    func others(long: String, short: String) throws {
        #expect(try Self.options(long) == Self.options(short))
        #expect(try Self.options(long) != ProcessingOptions())
    }

    @Test("a later option replaces the earlier one, and an argument that is missing leaves what was there")
    func order() throws {
        let options = try Self.options("rs:fill:300:200/w:100/s::50/blur:2/blur:0")
        #expect(options.resizingType == .fill && options.width == 100 && options.height == 50 && options.blur == 0)
    }

    @Test("gravities have offsets in points or as a share, focus points and the smart one none")
    func gravities() throws {
        let corner = try Self.options("g:nowe:10:-0.25").gravity
        #expect(corner == Gravity(anchor: .edge(x: 0, y: 0), x: .points(10), y: .share(-0.25)))
        #expect(try Self.options("g:fp:0.2:1").gravity == Gravity(anchor: .focus(x: 0.2, y: 1)))
        let crop = try Self.options("c:100:0.5:so").crop
        #expect(crop?.width == .points(100) && crop?.height == .share(0.5))
        #expect(crop?.gravity == Gravity(anchor: .edge(x: 0.5, y: 1)))
    }

    @Test(
        "what is wrong, and what is not supported, is told by its name",
        arguments: [
            ("w:abc", "abc is not a whole number"), ("w:-1", "-1 is not a whole number"), ("w:1:2", "take out 2"),
            ("rs:cover:1", "fit, fill, fill-down, force or auto"), ("z:0", "greater than 0"),
            ("dpr:nan", "greater than 0"),
            ("dpr:inf", "greater than 0"), ("el:yes", "1, t or true"), ("g:up", "a gravity"), ("g:obj:face", "take sm"),
            ("g:fp:2:0", "a number from 0.0 to 1.0"), ("ex:1:sm", "sm is not a gravity"), ("t:-1", "a number"),
            ("rot:45", "a multiple of 90"), ("bg:12", "a colour"), ("bg:1:2", "three channels"),
            ("bg:1:2:999", "0 to 255"), ("q:101", "0 to 100"), ("fq:webp", "no quality behind it"),
            ("f:tga", "tga is no format"), ("fn:%ff", "a name in UTF-8"), ("wm:2", "from 0.0 to 1.0"),
            ("wm:1:ch", "take re"), ("wm:1:sm", "no gravity of that kind"), ("adjust:1:2:3", "adjust is not supported"),
            ("nonsense:1", "nonsense is no option"), (":", " is no option"),
            ("max_src_resolution:10", "a setting of the service"),
        ])
    func wrong(option: String, reason: String) {
        let error = #expect(throws: AddressError.self) { try Self.options(option) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }
}
