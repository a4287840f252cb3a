#include "compare/tests/catch_session.hpp"

int main(int argc, char** argv) {
  return ladder::tests::run_session(argc, argv);
}
