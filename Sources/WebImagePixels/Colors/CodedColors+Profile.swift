import CLittleCMS

extension CodedColors {
    /// The same as a profile for Little CMS, which the caller closes; nil for high dynamic range, and without memory.
    func makeProfile() -> cmsHPROFILE? {
        guard let curve = transfer.makeToneCurve() else { return nil }
        defer { cmsFreeToneCurve(curve) }
        var white = primaries.white.point
        var points = cmsCIExyYTRIPLE(Red: primaries.red.point, Green: primaries.green.point, Blue: primaries.blue.point)
        return cmsCreateRGBProfile(&white, &points, [curve, curve, curve])
    }
}

extension ColorPrimaries.Chromaticity {
    fileprivate var point: cmsCIExyY { cmsCIExyY(x: x, y: y, Y: 1) }
}

extension TransferFunction {
    /// From codes to light; the caller frees it.
    fileprivate func makeToneCurve() -> OpaquePointer? {
        switch self {
        case .sRGB: cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        case .linear: cmsBuildGamma(nil, 1)
        case .gamma(let exponent): cmsBuildGamma(nil, exponent)
        case .perceptualQuantizer, .hybridLogGamma: nil
        }
    }
}
