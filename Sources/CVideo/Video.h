#pragma once

#include "CVideo.h"
#include "CallNames.h"

struct webimage_video {
    GstElement *pipeline;
    GstBus *bus;

    /// Guards what streaming threads write: all of the following but the sample.
    GMutex mutex;
    webimage_video_properties properties;
    gboolean has_properties;
    GstPad *video_pad;
    GArray *times, *keys;
    size_t most_frames;
    gboolean has_too_many_frames;

    /// Of a decoder.
    gboolean has_too_large_frames;
    GstElement *convert;
    GstAppSink *sink;
    GstSample *sample;
    GstMapInfo map;
};

#define WEBIMAGE_VIDEO_SCAN "giostreamsrc name=source ! parsebin name=parser"
/// A format for the width and the height.
#define WEBIMAGE_VIDEO_DECODE \
    "giostreamsrc name=source ! decodebin name=decoder force-sw-decoders=true " \
    "videoconvert name=convert n-threads=1 ! videoscale add-borders=false ! " \
    "video/x-raw,format=RGBA,width=%u,height=%u,pixel-aspect-ratio=1/1 ! " \
    "appsink name=sink sync=false max-buffers=1 enable-last-sample=false"

/// A pipeline that begins with the bytes of a file.
webimage_video *webimage_video_make(
    const void *bytes, size_t count, const char *description, webimage_video_message *message);
/// Sends what a pad brings to nowhere.
void webimage_video_discard(webimage_video *video, GstPad *pad);
/// Whether a pad brings moving pictures, by its caps.
gboolean webimage_video_is_video(GstPad *pad);
void webimage_video_take_properties(webimage_video *video, GstPad *pad, GstCaps *caps);
/// Lets a decoder tell the range of luma that the stream has.
void webimage_video_let_tell_range(GstElement *element);
/// Completes the colours in the caps of an event: the matrix, and the full range of luma if the container tells it.
void webimage_video_complete_colors(GstPadProbeInfo *info, bool is_full_range);
/// Gives back the pixels of a decoder's last frame.
void webimage_video_release(webimage_video *video);
/// Ends the stream with an error of GStreamer's. Any thread.
void webimage_video_fail(webimage_video *video, gint code, const char *text);
/// Whether caps have pictures that are larger than the video.
gboolean webimage_video_is_too_large(const webimage_video *video, GstCaps *caps);
#define WEBIMAGE_VIDEO_TOO_LARGE "a frame is larger than the video"
/// The time of a picture in the video, as seeks expect it; -1 when it does not say, and less for one outside.
int64_t webimage_video_time(const GstSegment *segment, GstClockTime time);
/// A message of the bus that ends the stream; WEBIMAGE_VIDEO_WAITING for none.
webimage_video_status webimage_video_poll(webimage_video *video, int milliseconds, webimage_video_message *message);
