#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// GStreamer without GLib's types: a program with both modules would take those types from GTK's module.

typedef struct webimage_video webimage_video;

typedef enum {
    WEBIMAGE_VIDEO_DAMAGED,
    /// A plugin for the container or the codec is not installed.
    WEBIMAGE_VIDEO_NO_PLUGIN,
    WEBIMAGE_VIDEO_TOO_MANY_FRAMES,
    WEBIMAGE_VIDEO_NO_PICTURES,
} webimage_video_failure;

/// The reason of a failure.
typedef struct {
    webimage_video_failure failure;
    char text[256];
} webimage_video_message;

typedef enum {
    /// Nothing has come in time.
    WEBIMAGE_VIDEO_WAITING,
    /// A frame has come, or at a scan the properties.
    WEBIMAGE_VIDEO_READY,
    WEBIMAGE_VIDEO_ENDED,
    WEBIMAGE_VIDEO_FAILED,
} webimage_video_status;

typedef struct {
    /// As coded, and with square pixels.
    uint32_t width, height, shown_width;
    /// As in EXIF, 1 to 8.
    uint32_t orientation;
    /// Whether the container says that luma has all 256 levels.
    bool is_full_range;
    /// In nanoseconds; negative when the container has none.
    int64_t duration;
} webimage_video_properties;

/// The pixels are valid until the next call.
typedef struct {
    const uint8_t *pixels;
    size_t bytes_per_row;
    uint32_t width, height;
    /// In nanoseconds; -1 when the frame does not say, and less for one outside.
    int64_t time;
    bool has_alpha;
} webimage_video_frame;

/// Loads and starts GStreamer, once; false with the reason when it cannot.
bool webimage_video_start(webimage_video_message *message);

/// Starts GStreamer so that processes that are forked from this one decode videos without files and new machine code. Before
/// anything else is asked for, and in a program that does nothing but such forks: the settings hold for all of it.
void webimage_video_preload(void);

/// Reads the times of a video's pictures, without decoding them. The bytes must outlive it. NULL on failure.
webimage_video *webimage_video_scan(
    const void *bytes, size_t count, size_t most_frames, webimage_video_message *message);

/// Decodes a video to RGBA of `shown_width` and `height`, in order. The bytes must outlive it. NULL on failure.
webimage_video *webimage_video_decode(
    const void *bytes, size_t count, const webimage_video_properties *properties, webimage_video_message *message);
void webimage_video_close(webimage_video *video);

/// Waits for the properties and then the end of a scan.
webimage_video_status webimage_video_wait(webimage_video *video, int milliseconds, webimage_video_message *message);
/// The number of times found so far.
size_t webimage_video_count(webimage_video *video);
webimage_video_properties webimage_video_get_properties(webimage_video *video);
/// At the end of a scan: the times in nanoseconds in the order of decoding, and which of them are key frames.
size_t webimage_video_get_times(webimage_video *video, const int64_t **times, const uint8_t **are_keys);

/// Waits for the next frame.
webimage_video_status webimage_video_next(
    webimage_video *video, int milliseconds, webimage_video_frame *frame, webimage_video_message *message);
/// Goes on with the last key frame at or before a time.
bool webimage_video_seek(webimage_video *video, int64_t time);
