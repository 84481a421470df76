#define _GNU_SOURCE
#include "Video.h"

#include <dlfcn.h>
#include <malloc.h>

// GStreamer for a process that has no files and no memory for code. Its own way is to find plugins by a list of all that are
// installed, which programs write to a file, and to load those that a video needs.

// All that bring a video from memory to pixels, sound aside. None decodes by hardware, which needs files of devices.
static const char *const plugins[] = {
    "coreelements", "typefindfunctions", "playback", "gio", "app", "videoconvertscale", "videoconvert", "videoscale",
    // Containers.
    "matroska", "isomp4",
    // The streams, of which parsers of sound find the ends.
    "videoparsersbad", "audioparsers", "opusparse", "vorbis",
    // Codecs.
    "vpx", "codecalpha", "aom", "dav1d", "openh264", "de265", "theora", "jpeg", "libav",
};

// Those of the same installation as the library.
static gchar *plugin_folder(void) {
    Dl_info library;
    if (!dladdr((void *)gst_init_check, &library)) return NULL;
    gchar *folder = g_path_get_dirname(library.dli_fname), *result = g_build_filename(folder, "gstreamer-1.0", NULL);
    g_free(folder);
    return result;
}

// The system decides which plugins there are: the player reports a missing codec with the video that needs it.
static void load_plugins(void) {
    gchar *folder = plugin_folder();
    for (size_t index = 0; folder && index < G_N_ELEMENTS(plugins); index++) {
        gchar *file = g_strdup_printf("%s/libgst%s.so", folder, plugins[index]);
        GstPlugin *plugin = gst_plugin_load_file(file, NULL);
        if (plugin) gst_object_unref(plugin);
        g_free(file);
    }
    g_free(folder);
}

// The classes of elements, without a start: that makes threads, which a fork would lose.
static void make_elements(const char *description) {
    GstElement *pipeline = gst_parse_launch_full(description, NULL, GST_PARSE_FLAG_FATAL_ERRORS, NULL);
    if (pipeline) gst_object_unref(gst_object_ref_sink(pipeline));
}

// Orc, which converts colours, makes machine code when it is first used, unless it is told otherwise before.
static void avoid_new_code(void) {
    g_setenv("ORC_CODE", "backup", TRUE);
    void *orc = dlopen("liborc-0.4.so.0", RTLD_NOW);
    void (*start)(void) = orc ? (void (*)(void))dlsym(orc, "orc_init") : NULL;
    if (start) start();
}

void webimage_video_preload(void) {
    // Each thread would reserve 128 MB of address space, which is limited.
    mallopt(M_ARENA_MAX, 1);
    g_setenv("GST_REGISTRY_DISABLE", "yes", TRUE);
    avoid_new_code();
    webimage_video_message message;
    // A system without GStreamer says so with each video.
    if (!webimage_video_start(&message)) return;
    load_plugins();
    make_elements(WEBIMAGE_VIDEO_SCAN);
    gchar *description = g_strdup_printf(WEBIMAGE_VIDEO_DECODE, 1u, 1u);
    make_elements(description);
    g_free(description);
}
