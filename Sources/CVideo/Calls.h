#pragma once

#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <gst/video/video.h>

/// GStreamer's functions, which are found when the first video is read: a program that shows none starts no slower, and
/// runs where GStreamer is not installed. GStreamer's own inline functions cannot be used, as they call it directly.
#define WEBIMAGE_CALLS(CALL) \
    CALL(gst_app_sink_get_type) \
    CALL(gst_app_sink_is_eos) \
    CALL(gst_app_sink_try_pull_sample) \
    CALL(gst_bin_add) \
    CALL(gst_bin_get_by_name) \
    CALL(gst_bin_get_type) \
    CALL(gst_buffer_extract) \
    CALL(gst_buffer_get_video_meta) \
    CALL(gst_buffer_map) \
    CALL(gst_buffer_unmap) \
    CALL(gst_bus_pop_filtered) \
    CALL(gst_bus_timed_pop_filtered) \
    CALL(gst_caps_get_size) \
    CALL(gst_caps_get_structure) \
    CALL(gst_caps_is_any) \
    CALL(gst_core_error_quark) \
    CALL(gst_element_factory_make) \
    CALL(gst_element_get_bus) \
    CALL(gst_element_get_static_pad) \
    CALL(gst_element_message_full) \
    CALL(gst_element_query_duration) \
    CALL(gst_element_seek_simple) \
    CALL(gst_element_set_state) \
    CALL(gst_element_sync_state_with_parent) \
    CALL(gst_event_new_caps) \
    CALL(gst_event_parse_caps) \
    CALL(gst_event_parse_segment) \
    CALL(gst_event_parse_tag) \
    CALL(gst_init_check) \
    CALL(gst_message_has_name) \
    CALL(gst_message_parse_error) \
    CALL(gst_mini_object_copy) \
    CALL(gst_mini_object_unref) \
    CALL(gst_object_ref_sink) \
    CALL(gst_object_unref) \
    CALL(gst_pad_add_probe) \
    CALL(gst_pad_get_current_caps) \
    CALL(gst_pad_get_sticky_event) \
    CALL(gst_pad_is_linked) \
    CALL(gst_pad_link) \
    CALL(gst_pad_query_caps) \
    CALL(gst_parse_launch_full) \
    CALL(gst_plugin_load_file) \
    CALL(gst_sample_get_buffer) \
    CALL(gst_sample_get_caps) \
    CALL(gst_sample_get_segment) \
    CALL(gst_segment_to_stream_time) \
    CALL(gst_segtrap_set_enabled) \
    CALL(gst_stream_error_quark) \
    CALL(gst_structure_get_fraction) \
    CALL(gst_structure_get_int) \
    CALL(gst_structure_get_name) \
    CALL(gst_structure_get_string) \
    CALL(gst_structure_set) \
    CALL(gst_tag_list_get_string) \
    CALL(gst_util_set_object_arg) \
    CALL(gst_util_uint64_scale_round) \
    CALL(gst_video_colorimetry_from_string) \
    CALL(gst_video_colorimetry_to_string) \
    CALL(gst_video_info_from_caps)

#define WEBIMAGE_CALL(name) __typeof__(&name) name;
struct webimage_calls {
    WEBIMAGE_CALLS(WEBIMAGE_CALL)
};
#undef WEBIMAGE_CALL

extern struct webimage_calls webimage_calls;

/// Loads GStreamer. NULL, or the reason why it cannot.
const char *webimage_calls_find(void);
