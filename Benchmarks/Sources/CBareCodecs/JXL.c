#include "CBareCodecs.h"

#include <stdlib.h>

#include <jxl/decode.h>

size_t webimage_bare_jxl(const uint8_t *bytes, size_t count) {
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    JxlPixelFormat format = {4, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    JxlBasicInfo info = {0};
    uint8_t *pixels = NULL;
    size_t result = 0;
    JxlDecoderSubscribeEvents(decoder, JXL_DEC_BASIC_INFO | JXL_DEC_FULL_IMAGE);
    JxlDecoderSetInput(decoder, bytes, count);
    JxlDecoderCloseInput(decoder);
    for (JxlDecoderStatus status = JXL_DEC_BASIC_INFO; status != JXL_DEC_ERROR && !result;) {
        status = JxlDecoderProcessInput(decoder);
        if (status == JXL_DEC_BASIC_INFO) {
            JxlDecoderGetBasicInfo(decoder, &info);
        } else if (status == JXL_DEC_NEED_IMAGE_OUT_BUFFER) {
            size_t size = (size_t)info.xsize * info.ysize * 4;
            pixels = malloc(size);
            if (!pixels || JxlDecoderSetImageOutBuffer(decoder, &format, pixels, size) != JXL_DEC_SUCCESS) break;
        } else if (status == JXL_DEC_FULL_IMAGE) {
            result = (size_t)info.xsize * info.ysize;
        } else {
            break;
        }
    }
    free(pixels);
    JxlDecoderDestroy(decoder);
    return result;
}
