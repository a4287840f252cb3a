// Compiles a file of rungs by the compiler whose command it is given:
//
//   rung_compiler [--translate] [--keep-going] <compiler and its options>
//
// --translate: the source is read as in_host_words() says. --keep-going: a rung that does not compile is left out with the first line that the
// compiler says of it, and the others are compiled. What is compiled may be a rung, or a file that includes several.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "compare/rung_compiler/translate.hpp"

namespace {

using Words = std::vector<std::string>;

std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  if (!(file << text) || !file.flush()) {
    std::fprintf(stderr, "rung_compiler: cannot write %s\n", path.c_str());
    std::exit(1);
  }
}

// The exit status. What the command says goes to `log` where there is one.
int run(const Words& command, const std::string& log = {}) {
  const pid_t child = fork();
  if (child == 0) {
    if (!log.empty()) {
      const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
      dup2(file, STDOUT_FILENO), dup2(file, STDERR_FILENO);
    }
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    std::fprintf(stderr, "rung_compiler: cannot run %s: %s\n", words[0], std::strerror(errno));
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// A command that compiles one file.
struct Compilation {
  Words command;
  std::string source, object, depfile;

  explicit Compilation(Words words) : command(std::move(words)) {
    for (std::size_t k = 0; k + 1 < command.size(); ++k) {
      if (command[k] == "-c" && command[k + 1].front() != '-') source = command[k + 1];
      if (command[k] == "-o") object = command[k + 1];
      if (command[k] == "-MF") depfile = command[k + 1];
    }
    if (source.empty() && !command.empty()) source = command.back();
  }

  // The same of another file, which finds what the first includes.
  Words of(const std::string& file) const {
    Words other = command;
    std::ranges::replace(other, source, file);
    return other;
  }
};

std::string quoted(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return all + '"';
}

// "/home/me/ladder/handwritten/reduce/x.cu" -> "handwritten/reduce/x.cu"
std::string below_root(const std::string& path) {
  for (const char* folder : {"/handwritten/", "/vendor/"})
    if (const auto at = path.rfind(folder); at != std::string::npos) return path.substr(at + 1);
  return path;
}

// The first error of the compiler.
std::string first_error(const std::string& said, const std::string& file) {
  std::istringstream lines(said);
  std::string line, any;
  while (std::getline(lines, line)) {
    if (line.find("error") == std::string::npos) continue;
    if (any.empty()) any = line;
    if (line.find(file) != std::string::npos) return below_root(line);
  }
  return below_root(any);
}

std::string left_out(const std::string& file, const std::string& error) {
  const std::string path = below_root(file);
  std::string name = "left_out_" + path;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return "#include \"compare/registry.hpp\"\nnamespace {\nconst ladder::LeftOut " + name + "(" + quoted(path) + ", " + quoted(error) + ");\n}\n";
}

// The files in which it finds errors. A change of one of them is a reason to compile again.
void depend_on_those_named(const Compilation& compilation, const std::string& said) {
  std::ofstream rules(compilation.depfile, std::ios::app);
  std::istringstream lines(said);
  std::set<std::string> files;
  for (std::string line; std::getline(lines, line);) {
    const std::string file = line.substr(0, line.find_first_of(":("));
    if (file.starts_with('/') && std::filesystem::is_regular_file(file) && files.insert(file).second)
      rules << compilation.object << ": " << file << '\n';
  }
}

// The text of the source without the rungs that the compiler names; empty where it names none.
std::string without_those_named(const std::string& text, const std::string& source, const std::string& said) {
  if (text.find("#define LADDER_UNIT") == std::string::npos) return left_out(source, first_error(said, source));  // a rung
  std::istringstream lines(text);
  std::string line, rest, out;
  while (std::getline(lines, line)) {
    const auto open = line.find("#include \"");
    const std::string file = open == 0 ? line.substr(10, line.rfind('"') - 10) : "";
    if (file.empty() || said.find(file) == std::string::npos) rest += line + '\n';
    else out += left_out(file, first_error(said, file));
  }
  return out.empty() ? out : rest + out;
}

}  // namespace

int main(int argc, char** argv) {
  Words words(argv + 1, argv + argc);
  const auto takes = [&](const char* option) {
    const bool is_there = !words.empty() && words.front() == option;
    if (is_there) words.erase(words.begin());
    return is_there;
  };
  const bool translates = takes("--translate"), keeps_going = takes("--keep-going");
  const Compilation compilation(words);
  std::string text = read(compilation.source);
  Words command = compilation.command;
  if (translates) {
    if (const std::string translated = ladder::rung_compiler::in_host_words(text); translated != text) {
      const std::string file = compilation.object + ".cpp";
      write(file, "#line 1 \"" + compilation.source + "\"\n" + translated);
      command = compilation.of(file);
      command.insert(command.end(), {"-iquote", std::filesystem::path(compilation.source).parent_path().string()});
    }
  }
  if (!keeps_going) return run(command);

  const std::string log = compilation.object + ".log";
  std::string refused;
  for (;;) {
    const int status = run(command, log);
    const std::string said = read(log);
    std::cerr << said;
    if (status == 0) {
      if (!refused.empty()) depend_on_those_named(compilation, refused);
      return 0;
    }
    refused += said;
    text = without_those_named(text, compilation.source, said);
    if (text.empty()) return status;
    const std::string file = compilation.object + ".rest" + std::filesystem::path(compilation.source).extension().string();
    write(file, text);
    command = compilation.of(file);
  }
}
