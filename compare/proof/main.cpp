// The program that `ladder prove-clock` hands over to: prove_clock <GPU, or nothing for the first>
// <folder for the proof> <the command as typed>
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/exit_code.hpp"
#include "compare/proof/prove_clock_command.hpp"

int main(int argc, char** argv) {
  return ladder::exit_code_of([&] {
    if (argc != 4) throw ladder::UsageError("./ladder prove-clock starts this program");
    return ladder::prove_clock_command(argv[1], argv[2], argv[3]);
  });
}
