import WebImageCore

extension RGBAColor {
    /// The numbers for the colour in bitmaps of a colour space. With high dynamic range they stay those of sRGB.
    func numbers(in colorSpace: ColorSpace) -> RGBAColor {
        guard colorSpace == .displayP3, let matrix = ColorPrimaries.bt709.matrix(to: .displayP3) else { return self }
        let curve = TransferFunction.sRGB
        let light = matrix.multiplied(by: [red, green, blue].map { curve.light(Double($0) / 255) })
        let numbers = light.map { UInt8((curve.code(min(max(0, $0), 1)) * 255).rounded()) }
        return RGBAColor(red: numbers[0], green: numbers[1], blue: numbers[2], alpha: alpha)
    }
}
