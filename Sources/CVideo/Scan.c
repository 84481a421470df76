#include "Video.h"

// Key frames have their size behind a start code; their container may name another one. Other codecs have it in parameters,
// of which parsers and decoders tell.

// RFC 6386 §9.1.
static gboolean take_vp8_size(const guint8 *head, uint32_t *width, uint32_t *height) {
    if (head[0] & 1 || head[3] != 0x9D || head[4] != 0x01 || head[5] != 0x2A) return FALSE;
    *width = (head[6] | (uint32_t)head[7] << 8) & 0x3FFF;
    *height = (head[8] | (uint32_t)head[9] << 8) & 0x3FFF;
    return TRUE;
}

// VP9 bitstream specification §6.2, without profile 3, whose start code is not on a byte.
static gboolean take_vp9_size(const guint8 *head, uint32_t *width, uint32_t *height) {
    guint profile = (head[0] >> 5 & 1) | (head[0] >> 3 & 2);
    gboolean is_key = head[0] >> 6 == 2 && !(head[0] & 0x0C);
    if (!is_key || profile == 3 || head[1] != 0x49 || head[2] != 0x83 || head[3] != 0x42) return FALSE;
    guint64 bits = 0;
    for (int index = 4; index < 10; index++) bits = bits << 8 | head[index];
    // The depth, the colour space, the range, and the resolution of colours.
    int place = profile == 2 ? 1 : 0;
    gboolean is_rgb = (bits >> (45 - place) & 7) == 7;
    place += 3 + (is_rgb ? 0 : 1) + (profile != 1 ? 0 : is_rgb ? 1 : 3);
    *width = (uint32_t)(bits >> (32 - place) & 0xFFFF) + 1;
    *height = (uint32_t)(bits >> (16 - place) & 0xFFFF) + 1;
    return TRUE;
}

static gboolean is_too_large(GstPad *pad, GstBuffer *buffer, const webimage_video_properties *properties) {
    guint8 head[10];
    uint32_t width = 0, height = 0;
    GstCaps *caps = gst_pad_get_current_caps(pad);
    if (!caps) return FALSE;
    const char *codec = gst_structure_get_name(gst_caps_get_structure(caps, 0));
    gboolean is_vp8 = g_str_equal(codec, "video/x-vp8"), is_vp9 = g_str_equal(codec, "video/x-vp9");
    webimage_unref(caps);
    if (!is_vp8 && !is_vp9) return FALSE;
    if (gst_buffer_extract(buffer, 0, head, sizeof head) < sizeof head) return FALSE;
    gboolean has_size = is_vp8 ? take_vp8_size(head, &width, &height) : take_vp9_size(head, &width, &height);
    return has_size && (width > properties->width || height > properties->height);
}

static gint64 time_of(GstPad *pad, GstBuffer *buffer) {
    GstClockTime time = GST_BUFFER_PTS_IS_VALID(buffer) ? GST_BUFFER_PTS(buffer) : GST_BUFFER_DTS(buffer);
    GstEvent *event = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0);
    const GstSegment *segment = NULL;
    if (event) gst_event_parse_segment(event, &segment);
    gint64 result = webimage_video_time(segment, time);
    if (event) webimage_unref(event);
    return result;
}

static void take_picture(webimage_video *video, GstPad *pad, GstBuffer *buffer) {
    gint64 time = time_of(pad, buffer);
    guint8 is_key = !GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_DELTA_UNIT);
    if (is_too_large(pad, buffer, &video->properties)) {
        webimage_video_fail(video, GST_STREAM_ERROR_DECODE, WEBIMAGE_VIDEO_TOO_LARGE);
        return;
    }
    if (time < 0) return;
    if (video->times->len >= video->most_frames) {
        if (!video->has_too_many_frames)
            webimage_video_fail(video, GST_STREAM_ERROR_FAILED, "it has too many frames");
        video->has_too_many_frames = TRUE;
        return;
    }
    g_array_append_val(video->times, time);
    g_array_append_val(video->keys, is_key);
}

// Parsers read the size of what follows from the stream itself.
static void take_event(webimage_video *video, GstEvent *event) {
    if (!video->has_properties || GST_EVENT_TYPE(event) != GST_EVENT_CAPS) return;
    GstCaps *caps = NULL;
    gst_event_parse_caps(event, &caps);
    if (webimage_video_is_too_large(video, caps))
        webimage_video_fail(video, GST_STREAM_ERROR_DECODE, WEBIMAGE_VIDEO_TOO_LARGE);
}

static GstPadProbeReturn look(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    webimage_video *video = data;
    g_mutex_lock(&video->mutex);
    if (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM)
        take_event(video, GST_PAD_PROBE_INFO_EVENT(info));
    if (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER) {
        if (!video->has_properties) {
            GstCaps *caps = gst_pad_get_current_caps(pad);
            if (caps) {
                webimage_video_take_properties(video, pad, caps);
                webimage_unref(caps);
            }
        }
        take_picture(video, pad, GST_PAD_PROBE_INFO_BUFFER(info));
    }
    g_mutex_unlock(&video->mutex);
    return GST_PAD_PROBE_OK;
}

static void add_stream(GstElement *parser, GstPad *pad, gpointer data) {
    (void)parser;
    webimage_video *video = data;
    g_mutex_lock(&video->mutex);
    gboolean is_first = !video->video_pad && webimage_video_is_video(pad);
    if (is_first) video->video_pad = pad;
    g_mutex_unlock(&video->mutex);
    if (is_first)
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, look, video, NULL);
    webimage_video_discard(video, pad);
}

webimage_video *webimage_video_scan(
    const void *bytes, size_t count, size_t most_frames, webimage_video_message *message) {
    webimage_video *video = webimage_video_make(bytes, count, WEBIMAGE_VIDEO_SCAN, message);
    if (!video) return NULL;
    video->most_frames = most_frames;
    video->times = g_array_new(FALSE, FALSE, sizeof(gint64));
    video->keys = g_array_new(FALSE, FALSE, sizeof(guint8));
    GstElement *parser = gst_bin_get_by_name(GST_BIN(video->pipeline), "parser");
    g_signal_connect(parser, "pad-added", G_CALLBACK(add_stream), video);
    gst_object_unref(parser);
    gst_element_set_state(video->pipeline, GST_STATE_PLAYING);
    return video;
}

webimage_video_status webimage_video_wait(webimage_video *video, int milliseconds, webimage_video_message *message) {
    webimage_video_status status = webimage_video_poll(video, milliseconds, message);
    g_mutex_lock(&video->mutex);
    if (status == WEBIMAGE_VIDEO_FAILED && video->has_too_many_frames) message->failure = WEBIMAGE_VIDEO_TOO_MANY_FRAMES;
    if (status == WEBIMAGE_VIDEO_WAITING && video->has_properties) status = WEBIMAGE_VIDEO_READY;
    if (status == WEBIMAGE_VIDEO_ENDED && !video->has_properties) {
        message->failure = WEBIMAGE_VIDEO_NO_PICTURES;
        g_strlcpy(message->text, "it has no pictures", sizeof message->text);
        status = WEBIMAGE_VIDEO_FAILED;
    }
    g_mutex_unlock(&video->mutex);
    return status;
}

size_t webimage_video_count(webimage_video *video) {
    g_mutex_lock(&video->mutex);
    size_t count = video->times->len;
    g_mutex_unlock(&video->mutex);
    return count;
}

webimage_video_properties webimage_video_get_properties(webimage_video *video) {
    gint64 duration = -1;
    gboolean has_duration = gst_element_query_duration(video->pipeline, GST_FORMAT_TIME, &duration);
    g_mutex_lock(&video->mutex);
    webimage_video_properties properties = video->properties;
    g_mutex_unlock(&video->mutex);
    properties.duration = has_duration ? duration : -1;
    return properties;
}

size_t webimage_video_get_times(webimage_video *video, const int64_t **times, const uint8_t **are_keys) {
    *times = (const int64_t *)(void *)video->times->data;
    *are_keys = (const uint8_t *)(void *)video->keys->data;
    return video->times->len;
}
