import Testing

@testable import WebImageSVG

@Suite("Start tags of SVG")
struct SVGStartTagTests {
    private static func tags(_ document: String) -> [SVGStartTag] {
        Array(SVGStartTags(of: SVGMarkup(bytes: Array(document.utf8))))
    }

    @Test("what only looks like a tag is none, wherever it stands")
    func sections() {
        let document = """
            <?xml version='1.0'?><?x <image> ?><!-- <image '> --><!DOCTYPE svg SYSTEM "<image>" [<!ENTITY a "<image a='>'>">
            <!-- <image> --> <!NOTATION n SYSTEM '<image>'>]><svg a='>' b=">"><![CDATA[<image "]]>"<s:g/></svg
            ><!-- <image
            """
        #expect(Self.tags(document).map(\.name) == ["svg", "g"])
    }

    @Test("attributes are found in every spelling, and none where a quote is missing")
    func attributes() {
        let text = SVGMarkup(bytes: Array("<a x:href = 'b c'\n d=\"'\" e='=' /><b c=d e='f'/><g h='i".utf8))
        let found = SVGStartTags(of: text).map { tag in
            tag.attributes.map { [$0.localName, text.string(in: $0.name), text.string(in: $0.value)] }
        }
        #expect(found == [[["href", "x:href", "b c"], ["d", "d", "'"], ["e", "e", "="]], [], []])
    }

    @Test("a document that was cut at any point has no tags beyond its end")
    func cuts() {
        let document = "<?a?><svg a='b'><!-- c --><image href='d'/><![CDATA[e]]></svg>"
        for count in 0...document.utf8.count {
            let tags = Self.tags(String(decoding: Array(document.utf8).prefix(count), as: UTF8.self))
            #expect(tags.count <= 3)
            for tag in tags { #expect(tag.attributes.count <= 1) }
        }
    }
}
