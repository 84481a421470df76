import FoundationEssentials
import Testing
import WebImageTestSupport

@testable import WebImageSVG

@Suite("What is changed in an SVG before it is drawn")
struct SVGRevisionTests {
    private static func revised(_ document: String) -> String {
        String(decoding: SVGRevision(of: SVGMarkup(bytes: Array(document.utf8))).bytes, as: UTF8.self)
    }

    private static let png = "iVBORw0KGgoAAAANSUhEUgAA"

    @Test(
        "the media type of a picture and its parameters, the picture that no loader draws, and nothing else",
        arguments: [
            ("<image href='data:;base64,\(png)'/>", "<image href='data:image/png;base64,\(png)'/>"),
            ("<s:image x:href=\"data:image/jpg,%FF%D8%FF%E0\"/>", "<s:image x:href=\"data:image/jpeg,%FF%D8%FF%E0\"/>"),
            ("<image href='data:image/svg+xml;charset=utf-8,%3C'/>", "<image href='data:image/svg+xml,%3C'/>"),
            ("<image href='data:image/svg+xml; a=b;c;BASE64,PHN2'/>", "<image href='data:image/svg+xml;base64,PHN2'/>"),
            ("<image href='data:text/html,a' x='1'/>", "<image href='' x='1'/>"),
            ("<feTurbulence s:kernelUnitLength='1'/>", "<feTurbulence data-length='1'/>"),
        ])
    func changes(document: String, expected: String) {
        #expect(Self.revised(document) == expected)
    }

    @Test(
        "documents without such parts stay as they are",
        arguments: [
            "<image href='data:image/png;base64,\(png)'/>", "<image href='a.png'/>",
            "<image href='DATA:image/PNG;Base64,\(png)'/>",
            "<image href='data:image/svg+xml,%3Csvg/%3E'/>", "<a href='data:text/html,a'/>", "<use href='data:,#a'/>",
            "<!-- <image href='data:,a'/> -->", "<style><![CDATA[<image href='data:,a'/>]]></style>",
            "<text kernelUnitLength='1'>kernelUnitLength, data:;base64,</text>", "<image href='data:;base64,\(png)",
            "<image", "<image \"\"\"=\"\"href=\"data:'\"><feImage href=\"data:\"",
        ])
    func nothing(document: String) {
        #expect(Self.revised(document) == document)
    }

    @Test("a document that was changed needs no change again, however it is damaged", arguments: 1...2)
    func stability(seed: Int) {
        let document = """
            <!DOCTYPE svg [<!ENTITY a "<image href='data:,'>">]><svg><image href='data:;base64,\(Self.png)'/><!-- ' -->
            <feImage x:href="data:image/bmp,BM"/><feMorphology kernelUnitLength='1'/><image href="data:image/gif,GIF89a"/></svg>
            """
        var mutator = FileMutator(seed: UInt64(seed))
        for _ in 0..<2000 {
            let damaged = SVGMarkup(bytes: [UInt8](mutator.mutate(Data(document.utf8))))
            let revised = SVGRevision(of: damaged).bytes
            #expect(SVGRevision(of: SVGMarkup(bytes: revised)).bytes == revised)
        }
    }
}
