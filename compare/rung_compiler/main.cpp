// Compiles a file of rungs by the compiler whose command it is given:
//
//   rung_compiler [--translate] [--keep-going] <compiler and its options>
//
// --translate: the source is read as in_host_words() says. --keep-going: a rung that does not
// compile is left out with the first line that the compiler says of it, and the others are
// compiled. What is compiled may be a rung, or a file that includes several. Where the compiler
// does not name the rungs to leave out, each is compiled alone.
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
#include <string_view>
#include <utility>
#include <vector>

#include "compare/rung_compiler/translate.hpp"

namespace {

using Words = std::vector<std::string>;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

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
  std::string source, object, depfile, log;

  explicit Compilation(Words words) : command(std::move(words)) {
    for (std::size_t k = 0; k + 1 < command.size(); ++k) {
      if (command[k] == "-c" && command[k + 1].front() != '-') source = command[k + 1];
      if (command[k] == "-o") object = command[k + 1];
      if (command[k] == "-MF") depfile = command[k + 1];
    }
    if (source.empty() && !command.empty()) source = command.back();
    log = object + ".log";
  }

  // The same of another file, which finds what the first includes.
  Words of(const std::string& file) const {
    Words other = command;
    std::ranges::replace(other, source, file);
    return other;
  }

  // A file with this text, beside the object.
  std::string copy(const std::string& ending, const std::string& text) const {
    return write(object + ending + std::filesystem::path(source).extension().string(), text,
                 source);
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

// The file of "/a/b.cu:12:3: error: ..", of nvcc's "/a/b.cu(12): error: ..", and of "   from
// /a/b.hpp:3,". Empty where a line begins with none.
std::string file_in(std::string line) {
  if (const auto at = line.find("from ");
      at != std::string::npos &&
      (at == 0 || line.find_first_not_of(' ') == at || line.starts_with("In file included ")))
    line.erase(0, at + 5);
  for (std::size_t k = 1; k + 1 < line.size(); ++k) {
    if ((line[k] != ':' && line[k] != '(') ||
        std::isdigit(static_cast<unsigned char>(line[k + 1])) == 0)
      continue;
    std::error_code too_long;  // for a name: it is none
    return std::filesystem::is_regular_file(line.substr(0, k), too_long) ? line.substr(0, k) : "";
  }
  return {};
}

// An error of the code. A place it may lack: ptxas names a file that is gone.
struct Error {
  std::string file, line;
};

// Those with a place first. Where the compiler was killed, finds no room, or is not there, there
// are none.
std::vector<Error> errors(const std::string& said) {
  std::vector<Error> all;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    const auto says = [&](const char* what) { return line.find(what) != std::string::npos; };
    const bool is_of_assembler = says(" Error: ");
    if ((!says("error") && !is_of_assembler) || says(" signal ") || says("No space left") ||
        says("rung_compiler: "))
      continue;
    all.push_back({file_in(line), line + (is_of_assembler ? "; only nvcc takes inline PTX" : "")});
  }
  std::stable_partition(all.begin(), all.end(),
                        [](const Error& error) { return !error.file.empty(); });
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
  return "#include \"compare/registry.hpp\"\nnamespace {\nconst ladder::LeftOut " + name + "(" +
         quoted(path) + ", " + quoted(error) + ");\n}\n";
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

// The file of `#include "file"`; empty where the line is another one.
std::string included_in(const std::string& line) {
  return line.starts_with("#include \"") ? line.substr(10, line.rfind('"') - 10) : "";
}

bool has_several_rungs(const std::string& text) {
  return text.find("#define LADDER_UNIT") != std::string::npos;
}

// The text without the rungs whose files have errors. Empty where none has any.
std::string without_those_with(const std::vector<Error>& found, const std::string& text,
                               const std::string& source) {
  if (found.empty()) return {};
  if (!has_several_rungs(text)) return left_out(source, below_root(found.front().line));
  std::istringstream lines(text);
  std::string rest, out;
  for (std::string line; std::getline(lines, line);) {
    const std::string file = included_in(line);
    const auto error = std::ranges::find(found, file, &Error::file);
    if (file.empty() || error == found.end()) rest += line + '\n';
    else out += left_out(file, below_root(error->line));
  }
  return out.empty() ? out : rest + out;
}

// The text without the rungs that do not compile alone: their errors are in what they include, or
// nowhere. Empty where none of them says why.
std::string without_those_that_fail(const std::string& text, const Compilation& compilation,
                                    std::set<std::string>& refused) {
  std::istringstream lines(text);
  std::string unit, rest, out;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#define LADDER_UNIT ")) unit = line + '\n';
    const std::string file = included_in(line);
    if (!file.empty() && !unit.empty()) {
      const std::string copy = compilation.copy(".alone", std::exchange(unit, {}) + line + '\n');
      const bool compiles = run(compilation.of(copy), compilation.log) == 0;
      const std::string said = read(compilation.log);
      if (const auto found = errors(said); !compiles && !found.empty()) {
        refused.merge(files_in(said));
        out += left_out(file, below_root(found.front().line));
        continue;
      }
    }
    rest += line + '\n';
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
  setenv("LC_ALL", "C", 1);  // errors are looked for in English
  const Compilation compilation(words);
  std::string text = read(compilation.source);
  // no compiler takes it after the first line
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  Words command = compilation.command;
  if (translates) {
    if (const std::string translated = ladder::rung_compiler::in_host_words(text);
        translated != text) {
      command = compilation.of(write(compilation.object + ".cpp",
                                     "#line 1 \"" + compilation.source + "\"\n" + translated,
                                     compilation.source));
      command.insert(command.end(),
                     {"-iquote", std::filesystem::path(compilation.source).parent_path().string()});
    }
  }
  if (!keeps_going) return run(command);

  std::set<std::string> refused;
  for (std::string before;;) {
    const int status = run(command, compilation.log);
    const std::string said = read(compilation.log);
    std::cerr << said;
    if (status == 0) {
      if (!refused.empty()) depend_on(refused, compilation);
      return 0;
    }
    refused.merge(files_in(said));
    before = text;
    text = without_those_with(errors(said), before, compilation.source);
    if (text.empty() && has_several_rungs(before))
      text = without_those_that_fail(before, compilation, refused);
    if (text.empty() || text == before) return status;
    command = compilation.of(compilation.copy(".rest", text));
  }
}
