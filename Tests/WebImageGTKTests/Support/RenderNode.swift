import CGtk4

extension OpaquePointer {
    /// The number of textures in a `GskRenderNode`, from its description.
    @MainActor var textureCount: Int { count(of: "texture {") }

    /// The number of occurrences of a word in the description.
    @MainActor
    func count(of word: String) -> Int {
        let bytes = gsk_render_node_serialize(self)
        defer { g_bytes_unref(bytes) }
        var size: gsize = 0
        guard let data = g_bytes_get_data(bytes, &size) else { return 0 }
        let text = String(decoding: UnsafeRawBufferPointer(start: data, count: Int(size)), as: UTF8.self)
        return text.ranges(of: word).count
    }
}
