#pragma once
#include "../../Sources/CGtk4/versions.h"

#include <X11/Xatom.h>
#include <X11/Xutil.h>
#include <dlfcn.h>
#include <gdk/x11/gdkx.h>
#include <gtk/gtk.h>

// Fills `pixels`, `width` times `height` words of opaque ARGB, with the pixels of a window on the X server from its
// upper left corner. FALSE for a window that is not X11's, is not on the screen, or has another size.
static inline gboolean webimage_grab(GdkSurface *surface, int width, int height, guint32 *pixels) {
    if (!GDK_IS_X11_SURFACE(surface))
        return FALSE;
    GdkDisplay *display = gdk_surface_get_display(surface);
    // Without the trap, a window that is too small or hidden would end the process.
    gdk_x11_display_error_trap_push(display);
    XImage *image = XGetImage(gdk_x11_display_get_xdisplay(display), gdk_x11_surface_get_xid(surface), 0, 0,
                              (unsigned)width, (unsigned)height, AllPlanes, ZPixmap);
    gdk_x11_display_error_trap_pop_ignored(display);
    if (image == NULL)
        return FALSE;
    gboolean is_rgb = image->red_mask == 0xFF0000 && image->green_mask == 0xFF00 && image->blue_mask == 0xFF;
    for (int y = 0; is_rgb && y < height; y++)
        for (int x = 0; x < width; x++)
            pixels[y * width + x] = 0xFF000000 | ((guint32)XGetPixel(image, x, y) & 0xFFFFFF);
    XDestroyImage(image);
    return is_rgb;
}

// Sets the scale factor of a display, as when its screen is replaced by another one. FALSE for displays other than
// X11's.
static inline gboolean webimage_set_scale(GdkDisplay *display, int scale) {
    if (!GDK_IS_X11_DISPLAY(display))
        return FALSE;
    // GDK also notifies windows that have just been destroyed.
    gdk_x11_display_error_trap_push(display);
    gdk_x11_display_set_surface_scale(display, scale);
    gdk_x11_display_error_trap_pop_ignored(display);
    return TRUE;
}

// Moves the pointer to a point of a window, in its pixels, and presses or releases a button there; button 0 moves only, 4
// and 5 turn the wheel. FALSE for displays other than X11's, and without the X server's extension for tests or its
// library, which is loaded here because nothing else needs it.
static inline gboolean webimage_point(GdkSurface *surface, int x, int y, unsigned button, gboolean is_down) {
    if (!GDK_IS_X11_SURFACE(surface))
        return FALSE;
    void *library = dlopen("libXtst.so.6", RTLD_NOW);
    if (library == NULL)
        return FALSE;
    int (*move)(Display *, int, int, int, unsigned long) = dlsym(library, "XTestFakeMotionEvent");
    int (*press)(Display *, unsigned, int, unsigned long) = dlsym(library, "XTestFakeButtonEvent");
    Display *display = gdk_x11_display_get_xdisplay(gdk_surface_get_display(surface));
    Window child;
    if (move == NULL || press == NULL ||
        !XTranslateCoordinates(display, gdk_x11_surface_get_xid(surface), DefaultRootWindow(display), x, y, &x, &y,
                               &child))
        return FALSE;
    gboolean is_done = move(display, -1, x, y, 0) && (button == 0 || press(display, button, is_down, 0));
    XFlush(display);
    return is_done;
}

// Clicks with the first mouse button where the pointer is, which does not move. FALSE as above.
static inline gboolean webimage_click_again(GdkSurface *surface) {
    void *library = GDK_IS_X11_SURFACE(surface) ? dlopen("libXtst.so.6", RTLD_NOW) : NULL;
    int (*press)(Display *, unsigned, int, unsigned long) =
        library == NULL ? NULL : dlsym(library, "XTestFakeButtonEvent");
    if (press == NULL)
        return FALSE;
    Display *display = gdk_x11_display_get_xdisplay(gdk_surface_get_display(surface));
    gboolean is_done = press(display, 1, True, 0) && press(display, 1, False, 0);
    XFlush(display);
    return is_done;
}

// Clicks with the first mouse button at a point of a window, in its pixels, as a user does. FALSE as above.
static inline gboolean webimage_click(GdkSurface *surface, int x, int y) {
    return webimage_point(surface, x, y, 1, TRUE) && webimage_point(surface, x, y, 1, FALSE);
}

// Presses and releases a key in a window, as a user does; its code is GDK's, which is X11's. FALSE as above.
static inline gboolean webimage_press(GdkSurface *surface, unsigned key) {
    if (!GDK_IS_X11_SURFACE(surface))
        return FALSE;
    void *library = dlopen("libXtst.so.6", RTLD_NOW);
    if (library == NULL)
        return FALSE;
    int (*press)(Display *, unsigned, int, unsigned long) = dlsym(library, "XTestFakeKeyEvent");
    GdkDisplay *gdk = gdk_surface_get_display(surface);
    Display *display = gdk_x11_display_get_xdisplay(gdk);
    if (press == NULL)
        return FALSE;
    // Without a window manager, no window has the keyboard by itself.
    gdk_x11_display_error_trap_push(gdk);
    XSetInputFocus(display, gdk_x11_surface_get_xid(surface), RevertToParent, CurrentTime);
    gdk_x11_display_error_trap_pop_ignored(gdk);
    KeyCode code = XKeysymToKeycode(display, key);
    gboolean is_done = code != 0 && press(display, code, True, 0) && press(display, code, False, 0);
    XFlush(display);
    return is_done;
}

// A connection that stands in for a window manager on the display of a window. NULL for windows other than X11's, and
// where there is a window manager. XCloseDisplay ends it.
static inline Display *webimage_begin_managing(GdkSurface *surface) {
    if (!GDK_IS_X11_SURFACE(surface))
        return NULL;
    GdkDisplay *display = gdk_surface_get_display(surface);
    if (gdk_x11_screen_supports_net_wm_hint(gdk_x11_display_get_screen(display), "_NET_WM_STATE_FULLSCREEN"))
        return NULL;
    Display *manager = XOpenDisplay(gdk_display_get_name(display));
    if (manager == NULL)
        return NULL;
    XSelectInput(manager, DefaultRootWindow(manager), SubstructureNotifyMask);
    // The manager must listen before the window asks, on its own connection, for something next.
    XSync(manager, False);
    return manager;
}

// Says that a window fills the screen, or no longer, as a window manager does.
static inline void webimage_fill_screen(Display *manager, Window window, gboolean is_filled) {
    Atom full = XInternAtom(manager, "_NET_WM_STATE_FULLSCREEN", False);
    XChangeProperty(manager, window, XInternAtom(manager, "_NET_WM_STATE", False), XA_ATOM, 32, PropModeReplace,
                    (unsigned char *)&full, is_filled ? 1 : 0);
    XFlush(manager);
}

// Does what windows have asked for since the last call: to fill the screen, or no longer.
static inline void webimage_manage(Display *manager) {
    while (XPending(manager)) {
        XEvent event;
        XNextEvent(manager, &event);
        if (event.type != ClientMessage ||
            event.xclient.message_type != XInternAtom(manager, "_NET_WM_STATE", False) ||
            (Atom)event.xclient.data.l[1] != XInternAtom(manager, "_NET_WM_STATE_FULLSCREEN", False))
            continue;
        webimage_fill_screen(manager, event.xclient.window, event.xclient.data.l[0] == 1);
    }
}

// Whether the pixels of its windows can be read back.
static inline gboolean webimage_is_x11(GdkDisplay *display) { return GDK_IS_X11_DISPLAY(display); }

// The scale factor of a display's first screen; 1 without a screen.
static inline int webimage_scale(GdkDisplay *display) {
    GdkMonitor *monitor = g_list_model_get_item(gdk_display_get_monitors(display), 0);
    int scale = monitor == NULL ? 1 : gdk_monitor_get_scale_factor(monitor);
    g_clear_object(&monitor);
    return scale;
}

// Minimises or restores a window as a window manager does. FALSE for windows other than X11's, and where there is a
// window manager, which would have to be asked.
static inline gboolean webimage_set_minimized(GdkSurface *surface, gboolean is_minimized) {
    if (!GDK_IS_X11_SURFACE(surface))
        return FALSE;
    GdkDisplay *display = gdk_surface_get_display(surface);
    GdkX11Screen *screen = gdk_x11_display_get_screen(display);
    if (gdk_x11_screen_supports_net_wm_hint(screen, "_NET_WM_STATE_HIDDEN"))
        return FALSE;
    Display *server = gdk_x11_display_get_xdisplay(display);
    if (is_minimized)
        XUnmapWindow(server, gdk_x11_surface_get_xid(surface));
    else
        XMapWindow(server, gdk_x11_surface_get_xid(surface));
    XFlush(server);
    return TRUE;
}

// The number of pixels of the display's first screen that are red, and nothing else; -1 for displays other than X11's.
static inline int webimage_count_red(GdkDisplay *display) {
    if (!GDK_IS_X11_DISPLAY(display))
        return -1;
    Display *server = gdk_x11_display_get_xdisplay(display);
    Window root = DefaultRootWindow(server);
    int screen = DefaultScreen(server);
    XImage *image = XGetImage(server, root, 0, 0, (unsigned)DisplayWidth(server, screen),
                              (unsigned)DisplayHeight(server, screen), AllPlanes, ZPixmap);
    if (image == NULL)
        return -1;
    int count = 0;
    for (int y = 0; y < image->height && image->bits_per_pixel == 32; y++) {
        const guint32 *row = (const guint32 *)(image->data + (gsize)y * (gsize)image->bytes_per_line);
        for (int x = 0; x < image->width; x++)
            count += (row[x] & 0xFFFFFF) >= 0xF50000 && (row[x] & 0xFF00) <= 0xA00 && (row[x] & 0xFF) <= 0xA;
    }
    XDestroyImage(image);
    return count;
}
