import Testing
import WebImageCore
import WebImagePixels
import WebImageTestSupport

@Suite("Convolution and sharpening")
struct ConvolutionTests {
    @Test(
        "TRF-8 a kernel equals the sum of its neighbours in double precision, at every depth",
        arguments: PictureKind.allCases)
    func exact(kind: PictureKind) throws {
        let picture = try kind.picture(PixelSize(width: 53, height: 21))
        for (width, height, weights, bias) in [
            (3, 3, [0, -1, 0, -1, 5, -1, 0, -1, 0], 0), (3, 3, [-1, -1, -1, -1, 8, -1, -1, -1, -1], 0.5),
            (1, 5, [0.1, 0.2, 0.4, 0.2, 0.1], 0), (7, 1, [1, 0, 0, 0, 0, 0, 0], 0), (1, 1, [2], 0),
        ] as [(Int, Int, [Float], Float)] {
            let kernel = try #require(ConvolutionKernel(width: width, height: height, weights: weights, bias: bias))
            let result = try picture.convolved(with: kernel)
            let exact = PixelReference(picture).convolved(width, height, weights.map(Double.init), bias: Double(bias))
            #expect(exact.distance(from: result) <= max(kind.tolerance, 0.05), "\(weights)")
            #expect(result.isOpaque == picture.isOpaque)
        }
    }

    @Test("a kernel that is even, too large or of no numbers is refused, and one without a sum cannot be normalised")
    func badKernels() throws {
        #expect(ConvolutionKernel(width: 2, height: 1, weights: [1, 1]) == nil)
        #expect(ConvolutionKernel(width: 1, height: 2, weights: [1, 1]) == nil)
        #expect(ConvolutionKernel(width: 0, height: 0, weights: []) == nil)
        #expect(ConvolutionKernel(width: -3, height: -3, weights: Array(repeating: 1, count: 9)) == nil)
        #expect(ConvolutionKernel(width: 3, height: 3, weights: [1]) == nil)
        #expect(ConvolutionKernel(width: 1001, height: 1001, weights: Array(repeating: 1, count: 1001 * 1001)) == nil)
        #expect(ConvolutionKernel(width: 1, height: 1, weights: [.nan]) == nil)
        #expect(ConvolutionKernel(width: 1, height: 1, weights: [1], bias: .infinity) == nil)
        let edges = try #require(ConvolutionKernel(width: 3, height: 1, weights: [-0.1, 0.2, -0.1]))
        #expect(edges.normalized == nil)
        let box = try #require(ConvolutionKernel(width: 3, height: 1, weights: [1, 1, 1])?.normalized)
        #expect(box.weights.allSatisfy { abs($0 - 1 / 3) < 1e-6 })
    }

    @Test("a blurring kernel leaves no dark fringe at a transparent edge")
    func fringes() throws {
        let half = try Bitmap(
            size: PixelSize(width: 12, height: 1),
            pixels: (0..<12).flatMap { $0 < 6 ? [200, 100, 50, 255] : [0, 0, 0, 0] as [UInt8] })
        let box = try #require(ConvolutionKernel(width: 5, height: 1, weights: Array(repeating: 0.2, count: 5)))
        let result = try half.convolved(with: box).converted(to: .rgba8Straight)
        for x in 0..<12 where result.pixel(x, 0)[3] > 0 {
            #expect(largestDifference(result.pixel(x, 0)[..<3], [200, 100, 50]) <= 2)
        }
    }

    @Test(
        "an unsharp mask adds the difference to a blurred picture, above its threshold", arguments: PictureKind.allCases
    )
    func sharpens(kind: PictureKind) throws {
        let picture = try kind.picture(PixelSize(width: 61, height: 33))
        let source = PixelReference(picture)
        for (radius, amount, threshold) in [(1.0, 0.5, 0.0), (3, 1.5, 0.1), (8, -0.5, 0)] {
            let result = try picture.sharpened(radius: radius, amount: amount, threshold: threshold)
            let blurred = source.blurred(radius)
            var exact = source
            for index in exact.channels.indices {
                let difference = source.channels[index] - blurred.channels[index]
                if abs(difference) >= threshold { exact.channels[index] += amount * difference }
            }
            let distances = zip(exact.held.channels, PixelReference(result).held.channels).map { abs($0 - $1) * 255 }
            // At the threshold, the rounding of the blur decides.
            let allowed = threshold > 0 ? distances.count / 200 : 0
            #expect(distances.count { $0 > (kind.tolerance == 1 ? 1 : 0.5) } <= allowed)
        }
        let image = Image(bitmap: picture)
        #expect(image.sharpened(radius: 0)?.bitmap === picture)
        #expect(image.sharpened(radius: .nan) == nil)
        #expect(image.sharpened(amount: .infinity) == nil)
        #expect(image.sharpened(threshold: .nan) == nil)
    }
}

extension PixelReference {
    func convolved(_ kernelWidth: Int, _ kernelHeight: Int, _ weights: [Double], bias: Double) -> PixelReference {
        let sum = abs(weights.reduce(0, +)) > 1e-4 ? weights.reduce(0, +) : 0
        var result = self
        for y in 0..<height {
            for x in 0..<width {
                var sums = [0.0, 0, 0, 0]
                for (index, weight) in weights.enumerated() {
                    let (column, row) = (index % kernelWidth - kernelWidth / 2, index / kernelWidth - kernelHeight / 2)
                    let pixel = extended(x + column, y + row)
                    for channel in 0..<4 { sums[channel] += weight * pixel[channel] }
                }
                sums[3] = sum == 0 ? self[x, y][3] : sums[3] / sum
                for channel in 0..<3 { sums[channel] += bias * sums[3] }
                result[x, y] = sums
            }
        }
        return result.held
    }
}
