#include <fcntl.h>

#include "compare/driver/commands/command_line.hpp"

namespace {

// Opens /dev/null for each standard stream that is closed: the next file that is opened would take
// its place, and its words.
void keep_standard_streams() {
  for (int stream = 0; stream <= 2; ++stream)
    if (fcntl(stream, F_GETFD) == -1)
      static_cast<void>(open("/dev/null", stream == 0 ? O_RDONLY : O_WRONLY));
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_streams();
  return ladder::command_line(argc, argv);
}
