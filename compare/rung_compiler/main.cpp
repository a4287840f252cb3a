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
#include <utility>
#include <vector>

#include "compare/rung_compiler/translate.hpp"

namespace {

using Words = std::vector<std::string>;

std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// As old as its source: ninja takes a newer input for a reason to compile again.
std::string write(const std::string& path, const std::string& text, const std::string& source) {
  std::ofstream file(path);
  if (!(file << text) || !file.flush()) {
    std::fprintf(stderr, "rung_compiler: cannot write %s\n", path.c_str());
    std::exit(1);
  }
  file.close();
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(source));
  return path;
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

// The file of "/a/b.cu:12:3: error: ..", of nvcc's "/a/b.cu(12): error: ..", and of "   from /a/b.hpp:3,". Empty where a line begins with none.
std::string file_in(std::string line) {
  if (const auto at = line.find("from ");
      at != std::string::npos && (at == 0 || line.find_first_not_of(' ') == at || line.starts_with("In file included ")))
    line.erase(0, at + 5);
  for (std::size_t k = 1; k + 1 < line.size(); ++k) {
    if ((line[k] != ':' && line[k] != '(') || std::isdigit(static_cast<unsigned char>(line[k + 1])) == 0) continue;
    return std::filesystem::is_regular_file(line.substr(0, k)) ? line.substr(0, k) : "";
  }
  return {};
}

// An error that has a place. Where the compiler was killed, or is not there, there is none.
struct Error {
  std::string file, line;
};

std::vector<Error> errors(const std::string& said) {
  std::vector<Error> all;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    const bool is_of_assembler = line.find(" Error: ") != std::string::npos;
    if (line.find("error") == std::string::npos && !is_of_assembler) continue;
    if (const std::string file = file_in(line); !file.empty()) all.push_back({file, line + (is_of_assembler ? "; only nvcc takes inline PTX" : "")});
  }
  return all;
}

// The errors may be of another one than the one to mend: of what it includes, say.
std::set<std::string> files_in(const std::string& said) {
  std::set<std::string> all;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);)
    if (const std::string file = file_in(line); !file.empty()) all.insert(file);
  return all;
}

std::string left_out(const std::string& file, const std::string& error) {
  const std::string path = below_root(file);
  std::string name = "left_out_" + path;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return "#include \"compare/registry.hpp\"\nnamespace {\nconst ladder::LeftOut " + name + "(" + quoted(path) + ", " + quoted(error) + ");\n}\n";
}

// A change of these files is a reason to compile again.
void depend_on(const std::set<std::string>& files, const Compilation& compilation) {
  std::ofstream rules(compilation.depfile, std::ios::app);
  for (const std::string& file : files) {
    rules << compilation.object << ": ";
    for (const char c : file) rules << (c == ' ' ? "\\ " : c == '$' ? "$$" : std::string(1, c));
    rules << '\n';
  }
}

// The text without the rungs that have errors: in their own file, or in one that the compiler was led to from there. Empty where no rung has any.
std::string without_those_with(const std::vector<Error>& found, const std::string& text, const std::string& source, const std::string& said) {
  if (found.empty()) return {};
  if (text.find("#define LADDER_UNIT") == std::string::npos) return left_out(source, below_root(found.front().line));  // a rung
  const auto named_in = [&](const std::string& file, bool in_any_line) -> const Error* {
    for (const Error& error : found)
      if (error.file == file) return &error;
    return in_any_line && said.find(file) != std::string::npos ? &found.front() : nullptr;
  };
  for (const bool in_any_line : {false, true}) {
    std::istringstream lines(text);
    std::string rest, out;
    for (std::string line; std::getline(lines, line);) {
      const std::string file = line.starts_with("#include \"") ? line.substr(10, line.rfind('"') - 10) : "";
      const Error* const error = file.empty() ? nullptr : named_in(file, in_any_line);
      if (error == nullptr) rest += line + '\n';
      else out += left_out(file, below_root(error->line));
    }
    if (!out.empty()) return rest + out;
  }
  return {};
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
      command = compilation.of(write(compilation.object + ".cpp", "#line 1 \"" + compilation.source + "\"\n" + translated, compilation.source));
      command.insert(command.end(), {"-iquote", std::filesystem::path(compilation.source).parent_path().string()});
    }
  }
  if (!keeps_going) return run(command);

  const std::string log = compilation.object + ".log";
  std::set<std::string> refused;
  std::string before;
  for (;;) {
    const int status = run(command, log);
    const std::string said = read(log);
    std::cerr << said;
    if (status == 0) {
      if (!refused.empty()) depend_on(refused, compilation);
      return 0;
    }
    const auto found = errors(said);
    before = std::exchange(text, without_those_with(found, text, compilation.source, said));
    if (text.empty() || text == before) return status;
    refused.merge(files_in(said));
    command = compilation.of(
        write(compilation.object + ".rest" + std::filesystem::path(compilation.source).extension().string(), text, compilation.source));
  }
}
