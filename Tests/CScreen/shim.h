#pragma once

#include <X11/Xutil.h>
#include <gdk/x11/gdkx.h>
#include <gtk/gtk.h>

// Fills `pixels`, `width` times `height` words of opaque ARGB, with what the X server shows of a window from its upper
// left corner. FALSE where the window is none of X11's, is not on the screen, or has other pixels than those.
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

// Lets a display have so many pixels per point, as when its screen is replaced by another one. FALSE for other displays
// than X11's.
static inline gboolean webimage_set_scale(GdkDisplay *display, int scale) {
    if (!GDK_IS_X11_DISPLAY(display))
        return FALSE;
    // GDK tells windows, too, that have just been destroyed.
    gdk_x11_display_error_trap_push(display);
    gdk_x11_display_set_surface_scale(display, scale);
    gdk_x11_display_error_trap_pop_ignored(display);
    return TRUE;
}

// The pixels per point of a display's first screen; 1 where there is none.
static inline int webimage_scale(GdkDisplay *display) {
    GdkMonitor *monitor = g_list_model_get_item(gdk_display_get_monitors(display), 0);
    int scale = monitor == NULL ? 1 : gdk_monitor_get_scale_factor(monitor);
    g_clear_object(&monitor);
    return scale;
}

// Takes a window off the screen as a window manager does that minimises it, or puts it back. FALSE for other windows than
// X11's, and where there is a window manager, which would be asked instead.
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
