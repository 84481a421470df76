#pragma once

/// The CLONE_NEW… flags of `WEBIMAGE_SANDBOX_…_NAMESPACE`.
int webimage_sandbox_clone_flags(unsigned namespaces);
