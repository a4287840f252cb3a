// Which sources this program was built from.
#pragma once

namespace ladder {

extern const char* const source_version;  // of Kernel Ladder: 1.0.0
extern const char* const source_commit;   // "unknown" outside a git checkout
extern const bool source_dirty;           // the sources differed from that commit

}  // namespace ladder
