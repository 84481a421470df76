import FoundationEssentials
import Testing
import WebImage
import WebImageTestLoads
import WebImageTesting

@testable import webimage_gallery

@Suite(.timeLimit(.minutes(5))) struct PreviewsTests {
    @Test("where a link leads to no picture, the one within it is shown")
    func preview() async throws {
        let loader = SuspendedLoader()
        let manager = WebImageManager(cache: SuspendedCache(), loader: loader, coder: ColourCoder())
        let (big, small) = (URL(filePath: "/big.jpg"), URL(filePath: "/small.jpg"))
        let previews = Previews()
        previews.set([FoundPicture(url: big, preview: small)])
        manager.interceptors = [previews]
        let results = Recorder<Result<LoadResult, WebImageError>>()
        let ended = Gate()
        _ = manager.load(big) { result in
            results.append(result)
            ended.open()
        }
        try await loader.waitForLoad(of: big).finish(Data("<html>".utf8))
        try await loader.waitForLoad(of: small).finish(Colour.red.file)
        try await ended.wait()
        #expect(try results.values.first?.get().image.colour == .red)
    }
}
