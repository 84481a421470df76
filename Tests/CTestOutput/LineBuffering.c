#include "CTestOutput.h"
#include <stdio.h>

// The tests print into a pipe, which the C library fills by kilobytes: without this, nothing is to be seen of them for
// minutes.
__attribute__((constructor)) static void buffer_lines(void) { setvbuf(stdout, NULL, _IOLBF, 0); }
