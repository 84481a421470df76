import Testing
import WebImageCore
import WebImagePixels

@Suite("Short names of transformers")
struct TransformerFactoryTests {
    @Test("a short name makes a transformer with its usual settings")
    func keys() {
        let cases: [(short: any ImageTransformer, long: any ImageTransformer)] = [
            (
                .resize(width: 20, height: 10),
                ImageResizingTransformer(size: PointSize(width: 20, height: 10), scaleMode: .aspectFill)
            ),
            (
                .resize(width: 20, height: 10, scaleMode: .aspectFit),
                ImageResizingTransformer(size: PointSize(width: 20, height: 10), scaleMode: .aspectFit)
            ),
            (.roundedCorners(radius: 8), ImageRoundCornerTransformer(radius: 8)),
            (
                .roundedCorners(radius: 8, corners: .topLeft, borderWidth: 2, borderColor: .black),
                ImageRoundCornerTransformer(radius: 8, corners: .topLeft, borderWidth: 2, borderColor: .black)
            ),
            (.flip(horizontal: true), ImageFlippingTransformer(horizontal: true, vertical: false)),
            (.flip(vertical: true), ImageFlippingTransformer(horizontal: false, vertical: true)),
            (
                .pipeline([.flip(vertical: true), .roundedCorners(radius: 8)]),
                ImagePipelineTransformer([
                    ImageFlippingTransformer(horizontal: false, vertical: true), ImageRoundCornerTransformer(radius: 8),
                ])
            ),
        ]
        for (short, long) in cases { #expect(short.transformerKey == long.transformerKey) }
    }

    @Test("a context is made with values in one expression")
    func context() {
        let context = WebImageContext { $0.transformer = .pipeline([.flip(horizontal: true)]) }
        #expect(context.transformer?.transformerKey == "SDImageFlippingTransformer(1,0)")
        #expect(context.loader == nil)
    }

    @Test("a picture is resized by a short name")
    func resized() throws {
        let image = Image(
            bitmap: try Bitmap(size: PixelSize(width: 2, height: 1), pixels: Array(repeating: 9, count: 8)))
        let transformer: any ImageTransformer = .resize(width: 4, height: 4)
        #expect(transformer.transform(image, for: CacheKey("a"))?.pixelSize == PixelSize(width: 4, height: 4))
    }
}
