#include "Video.h"

// One thread decodes a picture: loads of several pictures already use all processors.
static void set_threads(GstElement *element) {
    static const char *const names[] = {"max-threads", "threads", "n-threads"};
    for (size_t index = 0; index < G_N_ELEMENTS(names); index++)
        if (g_object_class_find_property(G_OBJECT_GET_CLASS(element), names[index]))
            gst_util_set_object_arg(G_OBJECT(element), names[index], "1");
}

static void prepare(GstBin *bin, GstBin *inner, GstElement *element, gpointer data) {
    (void)bin, (void)inner, (void)data;
    set_threads(element);
    webimage_video_let_tell_range(element);
}

// Sound and texts are not decoded.
static gboolean decodes(GstElement *decoder, GstPad *pad, GstCaps *caps, gpointer data) {
    (void)decoder, (void)pad, (void)data;
    const char *name = gst_structure_get_name(gst_caps_get_structure(caps, 0));
    return !g_str_has_prefix(name, "audio/") && !g_str_has_prefix(name, "text/")
        && !g_str_has_prefix(name, "subpicture/") && !g_str_has_prefix(name, "application/x-subtitle");
}

// Drops the frames of a stream that contradicts its container: they may be too large.
static GstPadProbeReturn check_size(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)pad;
    webimage_video *video = data;
    if (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER)
        return video->has_too_large_frames ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
    GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
    if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS) return GST_PAD_PROBE_OK;
    GstCaps *caps = NULL;
    gst_event_parse_caps(event, &caps);
    video->has_too_large_frames = webimage_video_is_too_large(video, caps);
    if (!video->has_too_large_frames) {
        webimage_video_complete_colors(info, video->properties.is_full_range);
        return GST_PAD_PROBE_OK;
    }
    webimage_video_fail(video, GST_STREAM_ERROR_DECODE, WEBIMAGE_VIDEO_TOO_LARGE);
    return GST_PAD_PROBE_DROP;
}

static void add_stream(GstElement *decoder, GstPad *pad, gpointer data) {
    (void)decoder;
    webimage_video *video = data;
    GstPad *end = gst_element_get_static_pad(video->convert, "sink");
    if (webimage_video_is_video(pad) && !gst_pad_is_linked(end))
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, check_size, video, NULL);
    if (webimage_video_is_video(pad) && !gst_pad_is_linked(end) && gst_pad_link(pad, end) == GST_PAD_LINK_OK) {
        gst_object_unref(end);
        return;
    }
    gst_object_unref(end);
    webimage_video_discard(video, pad);
}

webimage_video *webimage_video_decode(
    const void *bytes, size_t count, const webimage_video_properties *properties, webimage_video_message *message) {
    gchar *description = g_strdup_printf(WEBIMAGE_VIDEO_DECODE, properties->shown_width, properties->height);
    webimage_video *video = webimage_video_make(bytes, count, description, message);
    g_free(description);
    if (!video) return NULL;
    // Codecs have whole blocks, some of which a decoder may not cut off.
    video->properties.is_full_range = properties->is_full_range;
    video->properties.width = (properties->width + 63) / 64 * 64;
    video->properties.height = (properties->height + 63) / 64 * 64;
    video->convert = gst_bin_get_by_name(GST_BIN(video->pipeline), "convert");
    video->sink = GST_APP_SINK(gst_bin_get_by_name(GST_BIN(video->pipeline), "sink"));
    GstElement *decoder = gst_bin_get_by_name(GST_BIN(video->pipeline), "decoder");
    g_signal_connect(decoder, "autoplug-continue", G_CALLBACK(decodes), video);
    g_signal_connect(decoder, "pad-added", G_CALLBACK(add_stream), video);
    gst_object_unref(decoder);
    g_signal_connect(video->pipeline, "deep-element-added", G_CALLBACK(prepare), NULL);
    gst_element_set_state(video->pipeline, GST_STATE_PLAYING);
    return video;
}

static gboolean has_alpha(webimage_video *video) {
    GstPad *pad = gst_element_get_static_pad(video->convert, "sink");
    GstCaps *caps = gst_pad_get_current_caps(pad);
    gst_object_unref(pad);
    GstVideoInfo info;
    gboolean result = caps && gst_video_info_from_caps(&info, caps) && GST_VIDEO_INFO_HAS_ALPHA(&info);
    if (caps) webimage_unref(caps);
    return result;
}

static gboolean take(webimage_video *video, GstSample *sample, webimage_video_frame *frame) {
    GstVideoInfo info;
    GstBuffer *buffer = gst_sample_get_buffer(sample);
    if (!buffer || !gst_video_info_from_caps(&info, gst_sample_get_caps(sample))) return FALSE;
    if (!gst_buffer_map(buffer, &video->map, GST_MAP_READ)) return FALSE;
    video->sample = sample;
    GstVideoMeta *meta = gst_buffer_get_video_meta(buffer);
    size_t offset = meta ? meta->offset[0] : info.offset[0];
    int bytes_per_row = meta ? meta->stride[0] : info.stride[0];
    size_t rows = (size_t)GST_VIDEO_INFO_HEIGHT(&info);
    if (bytes_per_row < GST_VIDEO_INFO_WIDTH(&info) * 4 || offset + rows * (size_t)bytes_per_row > video->map.size)
        return FALSE;
    *frame = (webimage_video_frame){
        .pixels = video->map.data + offset, .bytes_per_row = (size_t)bytes_per_row,
        .width = (uint32_t)GST_VIDEO_INFO_WIDTH(&info), .height = (uint32_t)rows,
        .time = webimage_video_time(gst_sample_get_segment(sample), GST_BUFFER_PTS(buffer)),
        .has_alpha = has_alpha(video)};
    return TRUE;
}

webimage_video_status webimage_video_next(
    webimage_video *video, int milliseconds, webimage_video_frame *frame, webimage_video_message *message) {
    webimage_video_release(video);
    GstSample *sample = gst_app_sink_try_pull_sample(video->sink, (GstClockTime)milliseconds * GST_MSECOND);
    if (sample) {
        if (take(video, sample, frame)) return WEBIMAGE_VIDEO_READY;
        if (!video->sample) webimage_unref(sample);
        message->failure = WEBIMAGE_VIDEO_DAMAGED;
        g_strlcpy(message->text, "a frame cannot be read", sizeof message->text);
        return WEBIMAGE_VIDEO_FAILED;
    }
    webimage_video_status status = webimage_video_poll(video, 0, message);
    if (status == WEBIMAGE_VIDEO_WAITING && gst_app_sink_is_eos(video->sink)) return WEBIMAGE_VIDEO_ENDED;
    return status;
}

bool webimage_video_seek(webimage_video *video, int64_t time) {
    webimage_video_release(video);
    // A seek does not take back that the end was reached before it.
    GstBus *bus = gst_element_get_bus(video->pipeline);
    GstMessage *end;
    while ((end = gst_bus_pop_filtered(bus, GST_MESSAGE_EOS))) webimage_unref(end);
    gst_object_unref(bus);
    GstSeekFlags flags = GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_KEY_UNIT | GST_SEEK_FLAG_SNAP_BEFORE;
    return gst_element_seek_simple(video->pipeline, GST_FORMAT_TIME, flags, time);
}
