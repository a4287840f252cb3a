// Runs the tests of a program that has a main of its own.
#pragma once

namespace ladder::tests {

int run_session(int argc, char** argv);

}  // namespace ladder::tests
