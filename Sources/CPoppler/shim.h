#pragma once
#include <poppler.h>

// A macro that calls a function, which Swift does not import.
static inline GQuark webimage_poppler_error_domain(void) { return POPPLER_ERROR; }
