import WebImage

extension Bitmap {
    /// The bitmap in colours that GTK knows: the bitmap itself, or in sRGB, to which high dynamic range is tone-mapped.
    /// Without memory for that, the picture is shown in wrong colours rather than not at all.
    var displayable: Bitmap { isDisplayable ? self : (try? converted(to: format)) ?? self }

    private var isDisplayable: Bool {
        switch colorSpace {
        case .sRGB, .asStored: true
        case .displayP3: DisplayColors.takesWideGamut
        case .bt2100PQ, .bt2100HLG: DisplayColors.showsHighDynamicRange && colorSpace.gdkColorState != nil
        }
    }
}
