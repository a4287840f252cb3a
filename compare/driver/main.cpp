#include "compare/driver/command_line.hpp"

int main(int argc, char** argv) {
  return ladder::command_line(argc, argv);
}
