import Glibc

/// The renderer of GTK on machines without a graphics processor: OpenGL in software takes longer to start, and to draw each
/// frame, than cairo.
enum SoftwareRendering {
    /// The devices of graphics processors: of the kernel's drivers, of one vendor's own, and of Windows below Linux.
    private static let devices = ["/dev/dri", "/dev/nvidiactl", "/dev/dxg"]

    /// Before GTK starts. What the person has chosen stays.
    static func prepare() {
        if !devices.contains(where: { access($0, F_OK) == 0 }) { setenv("GSK_RENDERER", "cairo", 0) }
    }
}
