#include "Video.h"

#include <gio/gio.h>

static void tell(webimage_video_message *message, webimage_video_failure failure, const char *text) {
    message->failure = failure;
    g_strlcpy(message->text, text, sizeof message->text);
}

static gpointer start(gpointer unused) {
    (void)unused;
    const char *lack = webimage_calls_find();
    if (lack) return g_strdup(lack);
    GError *error = NULL;
    // A program keeps its own handlers of signals while plugins are loaded.
    gst_segtrap_set_enabled(FALSE);
    if (gst_init_check(NULL, NULL, &error)) return NULL;
    gchar *reason = g_strdup(error ? error->message : "it gives no reason");
    g_clear_error(&error);
    return reason;
}

bool webimage_video_start(webimage_video_message *message) {
    static GOnce once = G_ONCE_INIT;
    gpointer reason = g_once(&once, start, NULL);
    if (!reason) return true;
    tell(message, WEBIMAGE_VIDEO_NO_PLUGIN, reason);
    return false;
}

webimage_video *webimage_video_make(
    const void *bytes, size_t count, const char *description, webimage_video_message *message) {
    if (!webimage_video_start(message)) return NULL;
    GError *error = NULL;
    GstElement *pipeline = gst_parse_launch_full(description, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
    if (!pipeline) {
        tell(message, WEBIMAGE_VIDEO_NO_PLUGIN, error ? error->message : "its plugins are missing");
        g_clear_error(&error);
        return NULL;
    }
    webimage_video *video = g_new0(webimage_video, 1);
    video->pipeline = gst_object_ref_sink(pipeline);
    video->bus = gst_element_get_bus(pipeline);
    g_mutex_init(&video->mutex);
    video->properties.duration = -1;
    GInputStream *stream = g_memory_input_stream_new_from_data(bytes, (gssize)count, NULL);
    GstElement *source = gst_bin_get_by_name(GST_BIN(pipeline), "source");
    g_object_set(source, "stream", stream, NULL);
    gst_object_unref(source);
    g_object_unref(stream);
    return video;
}

void webimage_video_release(webimage_video *video) {
    if (!video->sample) return;
    gst_buffer_unmap(gst_sample_get_buffer(video->sample), &video->map);
    webimage_unref(video->sample);
    video->sample = NULL;
}

void webimage_video_close(webimage_video *video) {
    webimage_video_release(video);
    // Ends the streaming threads.
    gst_element_set_state(video->pipeline, GST_STATE_NULL);
    gst_object_unref(video->bus);
    if (video->sink) gst_object_unref(video->sink);
    if (video->convert) gst_object_unref(video->convert);
    gst_object_unref(video->pipeline);
    if (video->times) g_array_unref(video->times);
    if (video->keys) g_array_unref(video->keys);
    g_mutex_clear(&video->mutex);
    g_free(video);
}

static webimage_video_failure failure(const GError *error, gboolean has_missing_plugin) {
    if (has_missing_plugin || g_error_matches(error, GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN)
        || g_error_matches(error, GST_STREAM_ERROR, GST_STREAM_ERROR_CODEC_NOT_FOUND))
        return WEBIMAGE_VIDEO_NO_PLUGIN;
    return WEBIMAGE_VIDEO_DAMAGED;
}

static gboolean is_missing_plugin(GstMessage *message) {
    return GST_MESSAGE_TYPE(message) == GST_MESSAGE_ELEMENT && gst_message_has_name(message, "missing-plugin");
}

webimage_video_status webimage_video_poll(webimage_video *video, int milliseconds, webimage_video_message *message) {
    GstMessageType types = GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_ELEMENT;
    gboolean lacks_plugin = FALSE;
    while (TRUE) {
        GstMessage *found = gst_bus_timed_pop_filtered(video->bus, (GstClockTime)milliseconds * GST_MSECOND, types);
        if (!found) return WEBIMAGE_VIDEO_WAITING;
        if (GST_MESSAGE_TYPE(found) == GST_MESSAGE_EOS) {
            webimage_unref(found);
            return WEBIMAGE_VIDEO_ENDED;
        }
        if (GST_MESSAGE_TYPE(found) == GST_MESSAGE_ERROR) {
            GError *error = NULL;
            gst_message_parse_error(found, &error, NULL);
            tell(message, failure(error, lacks_plugin), error->message);
            g_error_free(error);
            webimage_unref(found);
            return WEBIMAGE_VIDEO_FAILED;
        }
        lacks_plugin = lacks_plugin || is_missing_plugin(found);
        webimage_unref(found);
    }
}

// QuickTime has streams of single pictures, too.
static gboolean is_of_pictures(const char *name) {
    return g_str_has_prefix(name, "video/") || g_str_equal(name, "image/jpeg");
}

gboolean webimage_video_is_video(GstPad *pad) {
    GstCaps *caps = gst_pad_get_current_caps(pad);
    if (!caps) caps = gst_pad_query_caps(pad, NULL);
    gboolean result = !gst_caps_is_any(caps) && gst_caps_get_size(caps) > 0
        && is_of_pictures(gst_structure_get_name(gst_caps_get_structure(caps, 0)));
    webimage_unref(caps);
    return result;
}

int64_t webimage_video_time(const GstSegment *segment, GstClockTime time) {
    if (!GST_CLOCK_TIME_IS_VALID(time)) return -1;
    if (!segment || segment->format != GST_FORMAT_TIME) return (int64_t)time;
    // As sinks do, which show nothing from the end on.
    if (GST_CLOCK_TIME_IS_VALID(segment->stop) && time >= segment->stop) return INT64_MIN;
    GstClockTime result = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, time);
    return GST_CLOCK_TIME_IS_VALID(result) ? (int64_t)result : INT64_MIN;
}

void webimage_video_discard(webimage_video *video, GstPad *pad) {
    GstElement *sink = gst_element_factory_make("fakesink", NULL);
    if (!sink) return;
    g_object_set(sink, "sync", FALSE, "async", FALSE, NULL);
    gst_bin_add(GST_BIN(video->pipeline), sink);
    gst_element_sync_state_with_parent(sink);
    GstPad *end = gst_element_get_static_pad(sink, "sink");
    gst_pad_link(pad, end);
    gst_object_unref(end);
}

void webimage_video_fail(webimage_video *video, gint code, const char *text) {
    gst_element_message_full(
        video->pipeline, GST_MESSAGE_ERROR, GST_STREAM_ERROR, code, g_strdup(text), NULL, __FILE__, __func__, __LINE__);
}

gboolean webimage_video_is_too_large(const webimage_video *video, GstCaps *caps) {
    GstStructure *structure = gst_caps_get_structure(caps, 0);
    gint width = 0, height = 0;
    gst_structure_get_int(structure, "width", &width);
    gst_structure_get_int(structure, "height", &height);
    return width > (gint)video->properties.width || height > (gint)video->properties.height;
}

static uint32_t orientation(GstPad *pad) {
    static const char *const names[] = {
        "rotate-0", "flip-rotate-0", "rotate-180", "flip-rotate-180", "flip-rotate-270", "rotate-90", "flip-rotate-90",
        "rotate-270"};
    uint32_t result = 1;
    GstEvent *event = NULL;
    // Those of the file, and those of the stream.
    for (guint place = 0; (event = gst_pad_get_sticky_event(pad, GST_EVENT_TAG, place)); place++) {
        GstTagList *tags = NULL;
        gchar *name = NULL;
        gst_event_parse_tag(event, &tags);
        if (gst_tag_list_get_string(tags, GST_TAG_IMAGE_ORIENTATION, &name)) {
            for (uint32_t index = 0; index < G_N_ELEMENTS(names); index++)
                if (g_str_equal(name, names[index])) result = index + 1;
            g_free(name);
        }
        webimage_unref(event);
    }
    return result;
}

void webimage_video_take_properties(webimage_video *video, GstPad *pad, GstCaps *caps) {
    const GstStructure *structure = gst_caps_get_structure(caps, 0);
    gint width = 0, height = 0, numerator = 1, denominator = 1;
    if (!gst_structure_get_int(structure, "width", &width) || !gst_structure_get_int(structure, "height", &height)) return;
    gst_structure_get_fraction(structure, "pixel-aspect-ratio", &numerator, &denominator);
    if (width <= 0 || height <= 0 || numerator <= 0 || denominator <= 0) return;
    guint64 shown = gst_util_uint64_scale_round((guint64)width, (guint64)numerator, (guint64)denominator);
    video->properties.width = (uint32_t)width;
    video->properties.height = (uint32_t)height;
    video->properties.shown_width = (uint32_t)CLAMP(shown, 1, G_MAXINT32);
    video->properties.orientation = orientation(pad);
    video->has_properties = TRUE;
}
