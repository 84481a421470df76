#pragma once

// Tests that link this target print each line when it is complete.
