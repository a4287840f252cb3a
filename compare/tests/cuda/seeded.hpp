// The seeded mistakes (compare/tests/seeded/) under compute-sanitizer.
#pragma once

namespace ladder::tests {

// Runs every mistake and its twin under every tool, prints who sees what as a table in Markdown,
// and holds that to what mistakes.cu expects. A mistake between more devices than there are is not
// run.
void check_seeded(unsigned devices);

}  // namespace ladder::tests
