#include "Video.h"

// The colours of a stream, where GStreamer is told too little of them, or takes too little.
//
// Luma has all 256 levels or those from 16 to 235, of which the container and the stream tell. GStreamer 1.22 takes the
// colours of an MP4 file (ISO/IEC 14496-12 §12.1.5) without this, for limited, and does not ask the stream any more.

static gboolean take_colors(GstCaps *caps, GstVideoColorimetry *colors) {
    const gchar *text = gst_structure_get_string(gst_caps_get_structure(caps, 0), "colorimetry");
    return text && gst_video_colorimetry_from_string(colors, text);
}

// Puts caps with other colours in the place of an event's.
static void set_colors(GstPadProbeInfo *info, GstCaps *caps, GstVideoColorimetry colors) {
    gchar *text = gst_video_colorimetry_to_string(&colors);
    GstCaps *copy = GST_CAPS_CAST(gst_mini_object_copy(GST_MINI_OBJECT_CAST(caps)));
    gst_structure_set(gst_caps_get_structure(copy, 0), "colorimetry", G_TYPE_STRING, text, NULL);
    g_free(text);
    GstEvent *event = gst_event_new_caps(copy);
    webimage_unref(copy);
    webimage_unref(GST_PAD_PROBE_INFO_DATA(info));
    GST_PAD_PROBE_INFO_DATA(info) = event;
}

static GstCaps *caps_of(GstPadProbeInfo *info) {
    GstCaps *caps = NULL;
    GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
    if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS) gst_event_parse_caps(event, &caps);
    return caps;
}

static GstPadProbeReturn forget_range(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)pad, (void)data;
    GstVideoColorimetry colors;
    GstCaps *caps = caps_of(info);
    if (caps && take_colors(caps, &colors)) {
        colors.range = GST_VIDEO_COLOR_RANGE_UNKNOWN;
        set_colors(info, caps, colors);
    }
    return GST_PAD_PROBE_OK;
}

// libav's decoders tell the stream's own range where nothing in front of them does; others read the stream by themselves, or
// not at all.
void webimage_video_let_tell_range(GstElement *element) {
    if (!g_str_has_prefix(GST_OBJECT_NAME(element), "avdec_")) return;
    GstPad *pad = gst_element_get_static_pad(element, "sink");
    if (!pad) return;
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, forget_range, NULL, NULL);
    gst_object_unref(pad);
}

// The matrix of a stream that names none, by its size: GStreamer takes that of high definition if only the range is
// told.
static GstVideoColorMatrix usual_matrix(GstCaps *caps) {
    int height = 0;
    gst_structure_get_int(gst_caps_get_structure(caps, 0), "height", &height);
    return height > 576 ? GST_VIDEO_COLOR_MATRIX_BT709 : GST_VIDEO_COLOR_MATRIX_BT601;
}

void webimage_video_complete_colors(GstPadProbeInfo *info, bool is_full_range) {
    GstVideoColorimetry colors;
    GstCaps *caps = caps_of(info);
    if (!caps || !take_colors(caps, &colors)) return;
    bool has_matrix = colors.matrix != GST_VIDEO_COLOR_MATRIX_UNKNOWN;
    bool has_range = !is_full_range || colors.range == GST_VIDEO_COLOR_RANGE_0_255;
    if (has_matrix && has_range) return;
    if (!has_matrix) colors.matrix = usual_matrix(caps);
    if (!has_range) colors.range = GST_VIDEO_COLOR_RANGE_0_255;
    set_colors(info, caps, colors);
}
