// Ctrl-C: once to stop and keep what was measured, twice to stop at once.
#pragma once

namespace ladder::interrupt {

// from here on SIGINT, SIGTERM and SIGHUP no longer end the program by themselves
void watch();
bool requested();  // one of them has come
void check();      // throws Interrupted if so

}  // namespace ladder::interrupt
