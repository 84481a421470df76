#include "CBareCodecs.h"

#include <lcms2.h>

size_t webimage_profile(bool is_wide, uint8_t *bytes, size_t capacity) {
    cmsCIExyY white = {0.3127, 0.3290, 1};
    cmsCIExyYTRIPLE primaries = {{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}};
    cmsFloat64Number parameters[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    cmsToneCurve *curve = cmsBuildParametricToneCurve(NULL, 4, parameters);
    cmsToneCurve *curves[] = {curve, curve, curve};
    cmsHPROFILE profile = is_wide ? cmsCreateRGBProfile(&white, &primaries, curves) : cmsCreate_sRGBProfile();
    cmsUInt32Number count = (cmsUInt32Number)capacity;
    if (!profile || !cmsSaveProfileToMem(profile, bytes, &count)) count = 0;
    if (profile) cmsCloseProfile(profile);
    cmsFreeToneCurve(curve);
    return count;
}
