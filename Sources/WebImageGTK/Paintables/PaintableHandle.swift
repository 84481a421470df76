import CGtk4
import WebImage

/// A reference to a `GdkPaintable`: one of GTK's own classes, or one that draws in Swift.
final class PaintableHandle {
    /// The `GdkPaintable`, valid for the lifetime of this object.
    let pointer: OpaquePointer

    /// A paintable that draws `content`.
    init(_ content: any PaintableContent) {
        let object: UnsafeMutablePointer<GObject> = g_object_new_with_properties(PaintableType.type, 0, nil, nil)
        pointer = OpaquePointer(object)
        PaintableType.attach(content, to: UnsafeMutableRawPointer(object))
    }

    /// Retains an existing paintable.
    init(retaining paintable: OpaquePointer) {
        pointer = OpaquePointer(g_object_ref(UnsafeMutableRawPointer(paintable)))
    }

    /// The current content of `paintable`, as a paintable that never changes.
    init(currentImageOf paintable: OpaquePointer) {
        pointer = gdk_paintable_get_current_image(paintable)
    }

    isolated deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

    /// The size in points at which it is drawn pixel for pixel; zero for no intrinsic size.
    var intrinsicSize: PointSize {
        PointSize(
            width: Double(gdk_paintable_get_intrinsic_width(pointer)),
            height: Double(gdk_paintable_get_intrinsic_height(pointer)))
    }

    /// The proportions that a widget keeps; 0 for none.
    var aspectRatio: Double { gdk_paintable_get_intrinsic_aspect_ratio(pointer) }

    /// The `GdkPaintable` with one more reference, which the caller owns.
    func retained() -> OpaquePointer { OpaquePointer(g_object_ref(UnsafeMutableRawPointer(pointer))) }

    /// Makes all widgets that show the paintable redraw it.
    func invalidateContents() { gdk_paintable_invalidate_contents(pointer) }
}

/// The class `WebImagePaintable`, registered with GObject at first use. Its methods call the Swift content.
private enum PaintableType {
    /// Keeps the content behind one known type, so that no call needs a dynamic cast.
    private final class Box {
        let content: any PaintableContent
        init(_ content: any PaintableContent) { self.content = content }
    }

    private static var parentClass: UnsafeMutablePointer<GObjectClass>?

    static let type: GType = {
        let type = g_type_register_static_simple(
            WEBIMAGE_TYPE_OBJECT, "WebImagePaintable", guint(MemoryLayout<WebImagePaintableClass>.size),
            { classPointer, _ in PaintableType.initializeClass(classPointer) },
            guint(MemoryLayout<WebImagePaintable>.size), { _, _ in }, G_TYPE_FLAG_FINAL)
        var interface = GInterfaceInfo()
        interface.interface_init = { interface, _ in PaintableType.initializeInterface(interface) }
        g_type_add_interface_static(type, gdk_paintable_get_type(), &interface)
        return type
    }()

    static func attach(_ content: any PaintableContent, to object: UnsafeMutableRawPointer) {
        let instance = object.assumingMemoryBound(to: WebImagePaintable.self)
        instance.pointee.swift_object = Unmanaged.passRetained(Box(content)).toOpaque()
    }

    private static func content(_ object: OpaquePointer?) -> (any PaintableContent)? {
        guard let object else { return nil }
        let instance = UnsafeMutableRawPointer(object).assumingMemoryBound(to: WebImagePaintable.self)
        return instance.pointee.swift_object.map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue().content }
    }

    private static func initializeClass(_ classPointer: gpointer?) {
        guard let classPointer else { return }
        parentClass = g_type_class_peek_parent(classPointer)?.assumingMemoryBound(to: GObjectClass.self)
        classPointer.assumingMemoryBound(to: GObjectClass.self).pointee.finalize = { object in
            guard let object else { return }
            let instance = UnsafeMutableRawPointer(object).assumingMemoryBound(to: WebImagePaintable.self)
            if let box = instance.pointee.swift_object { Unmanaged<Box>.fromOpaque(box).release() }
            instance.pointee.swift_object = nil
            PaintableType.parentClass?.pointee.finalize(object)
        }
    }

    private static func initializeInterface(_ interface: gpointer?) {
        guard let interface = interface?.assumingMemoryBound(to: GdkPaintableInterface.self) else { return }
        interface.pointee.snapshot = { object, snapshot, width, height in
            guard let snapshot, let content = PaintableType.content(object) else { return }
            MainThreadTime.measure { content.draw(snapshot, width: width, height: height) }
        }
        interface.pointee.get_intrinsic_width = { object in
            Int32((PaintableType.content(object)?.intrinsicSize.width ?? 0).rounded())
        }
        interface.pointee.get_intrinsic_height = { object in
            Int32((PaintableType.content(object)?.intrinsicSize.height ?? 0).rounded())
        }
        interface.pointee.get_intrinsic_aspect_ratio = { object in PaintableType.content(object)?.aspectRatio ?? 0 }
        interface.pointee.get_flags = { object in
            let isImmutable = PaintableType.content(object)?.isImmutable ?? true
            return GdkPaintableFlags(
                rawValue: GDK_PAINTABLE_STATIC_SIZE.rawValue
                    | (isImmutable ? GDK_PAINTABLE_STATIC_CONTENTS.rawValue : 0))
        }
        interface.pointee.get_current_image = { object in
            guard let content = PaintableType.content(object) else { return nil }
            return PaintableHandle(content.frozen()).retained()
        }
    }
}
