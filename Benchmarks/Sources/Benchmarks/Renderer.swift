/// GTK's renderers, by the names that `GSK_RENDERER` takes in all versions: `gl` was another one until GTK 4.18 removed it,
/// which warns of it.
enum Renderer: String, CaseIterable, CustomStringConvertible {
    case openGL = "opengl"
    case cairo

    var description: String { rawValue }
}
