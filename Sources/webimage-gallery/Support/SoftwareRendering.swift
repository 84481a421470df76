import CGtk4
import Glibc

/// The renderer of GTK on machines without a graphics processor: OpenGL in software takes longer to start, and to draw each
/// frame, than cairo.
enum SoftwareRendering {
    /// The devices of graphics processors: of the kernel's drivers, of one vendor's own, and of Windows below Linux.
    private static let devices = ["/dev/dri", "/dev/nvidiactl", "/dev/dxg"]

    /// Before GTK starts. What the person has chosen stays.
    static func prepare() {
        guard !devices.contains(where: { access($0, F_OK) == 0 }), getenv("GSK_RENDERER") == nil else { return }
        setenv("GSK_RENDERER", "cairo", 1)
        disableOpenGL()
    }

    /// GTK starts OpenGL for any renderer, and in software that loads a compiler for shaders.
    private static func disableOpenGL() {
        setenv("GDK_DISABLE", "gl", 0)
        // Versions that do not know the former; later ones complain of this one.
        if gtk_get_major_version() == 4, gtk_get_minor_version() < 14 { setenv("GDK_DEBUG", "gl-disable", 0) }
    }
}
