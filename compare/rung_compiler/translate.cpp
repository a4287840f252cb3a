#include "compare/rung_compiler/translate.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <vector>

namespace ladder::rung_compiler {
namespace {

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Behind the parenthesis that closes this one; npos where none does.
std::size_t end_of_parentheses(std::string_view text, std::size_t open) {
  unsigned depth = 0;
  for (std::size_t end = open; end < text.size(); ++end)
    if (depth += text[end] == '(' ? 1 : text[end] == ')' ? -1U : 0; depth == 0) return end + 1;
  return text.npos;
}

std::string_view last_word(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_of_word(text[begin - 1])) --begin;
  return text.substr(begin);
}

// Removes `word` and, if parentheses follow, those too.
void remove_word(std::string& text, std::string_view word) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
    std::size_t end = at + word.size();
    if ((at > 0 && is_of_word(text[at - 1])) || (end < text.size() && is_of_word(text[end]))) {
      at = end;
      continue;
    }
    if (const std::size_t open = text.find_first_not_of(" \t\n", end);
        open != std::string::npos && text[open] == '(')
      end = end_of_parentheses(text, open);
    text.erase(at, end - at);
  }
}

// `code`: a copy of the source in which comments, directives and strings are blank. A position is
// the same in both.
class Translation {
 public:
  Translation(std::string_view source, std::string code)
      : source_(source), code_(std::move(code)) {}

  std::string text() {
    for (at_ = 0; at_ < code_.size(); ++at_) {
      const char c = code_[at_];
      if (c == '{') {
        is_namespace_.push_back(opens_namespace());
        if (at_ == body_) replace(at_, at_ + 1, "{ ::ladder::expect_cluster(" + size_ + ");");
      }
      if (c == '}' && !is_namespace_.empty()) is_namespace_.pop_back();
      if (c == ';' || c == '{' || c == '}') statement_ = at_ + 1;
      else if (code_.compare(at_, 3, "<<<") == 0) launch();
      else if (starts_word("__shared__")) shared_variable();
      else if (starts_word("__cluster_dims__")) kernel_of_clusters();
    }
    return translated_.append(source_.substr(done_));
  }

 private:
  bool starts_word(std::string_view word) const {
    return code_.compare(at_, word.size(), word) == 0 &&
           (at_ == 0 || !is_of_word(code_[at_ - 1])) && !is_of_word(code_[at_ + word.size()]);
  }

  bool opens_namespace() const {
    const auto before = trimmed(std::string_view(code_).substr(statement_, at_ - statement_));
    return before.starts_with("namespace") || before.starts_with("inline namespace") ||
           before == "extern";
  }

  void replace(std::size_t begin, std::size_t end, const std::string& by) {
    translated_.append(source_.substr(done_, begin - done_)).append(by);
    translated_.append(
        static_cast<std::size_t>(std::ranges::count(source_.substr(begin, end - begin), '\n') -
                                 std::ranges::count(by, '\n')),
        '\n');
    done_ = end;
    at_ = end - 1;
  }

  // Where the expression begins that names the kernel and ends before `end`: "a::kernel",
  // "this->kernels[k]", "(*kernel)", "kernel<T, 4>".
  std::size_t begin_of_kernel(std::size_t end) const {
    for (;;) {
      while (end > statement_ && is_space(code_[end - 1])) --end;
      const std::size_t before = end;
      for (const auto& [open, close] :
           {std::pair('<', '>'), std::pair('[', ']'), std::pair('(', ')')}) {
        if (end <= statement_ || code_[end - 1] != close ||
            (close == '>' && end > 1 && code_[end - 2] == '-'))
          continue;
        unsigned depth = 0;
        do {
          --end;
          if (code_[end] == close) ++depth;
          if (code_[end] == open) --depth;
        } while (depth > 0 && end > statement_);
      }
      while (end > statement_ && is_of_word(code_[end - 1])) --end;
      const auto joins = [&](std::string_view by) {
        return end >= statement_ + by.size() && code_.compare(end - by.size(), by.size(), by) == 0;
      };
      if (joins("::") || joins("->")) end -= 2;
      else if (joins(".")) end -= 1;
      else if (end == before || end == statement_ ||
               (code_[end - 1] != '>' && code_[end - 1] != ']'))
        return end;
    }
  }

  void launch() {
    int depth = 0;
    for (std::size_t end = at_ + 3; end < code_.size(); ++end) {
      const char c = code_[end];
      depth += c == '(' || c == '{' || c == '[' ? 1 : c == ')' || c == '}' || c == ']' ? -1 : 0;
      if (depth < 0 || c == ';') return;
      if (depth > 0 || code_.compare(end, 3, ">>>") != 0) continue;
      const std::size_t begin = begin_of_kernel(at_);
      const auto part = [&](std::size_t from, std::size_t to) {
        return std::string(trimmed(source_.substr(from, to - from)));
      };
      // ":::" would be another word
      std::string call = begin > 0 && code_[begin - 1] == ':' ? " " : "";
      const std::string kernel = part(begin, at_);
      const auto cluster = clusters_.find(name_in(kernel));
      call += cluster == clusters_.end()
                  ? "::ladder::configured("
                  : "::ladder::configured_in_clusters(" + cluster->second + ", ";
      replace(begin, end + 3,
              call.append(kernel).append(", ").append(part(at_ + 3, end)).append(")"));
      return;
    }
  }

  // "a::kernel<4>" -> "kernel"
  static std::string name_in(std::string_view kernel) {
    return std::string(last_word(trimmed(kernel.substr(0, kernel.find('<')))));
  }

  // `__cluster_dims__(4, 1, 1) void kernel(..) {`: what launches the kernel by <<< >>> in this file
  // says so, and the kernel asks who launches it otherwise.
  void kernel_of_clusters() {
    const std::size_t open = code_.find('(', at_), end = end_of_parentheses(code_, open);
    if (end == std::string::npos) return;
    const std::string_view sizes =
        trimmed(std::string_view(code_).substr(open + 1, end - open - 2));
    const std::string size = "{" + std::string(sizes) + "}";
    for (std::size_t parameters = end;
         (parameters = code_.find('(', parameters)) != std::string::npos;
         parameters = end_of_parentheses(code_, parameters)) {
      const std::string name = name_in(std::string_view(code_).substr(end, parameters - end));
      if (name.empty() || name.starts_with("__") || name == "alignas") continue;  // an attribute
      clusters_[name] = size;
      body_ = code_.find_first_of("{;", end_of_parentheses(code_, parameters));
      size_ = size;
      break;
    }
    replace(at_, end, "");
  }

  void shared_variable() {
    std::size_t begin = statement_;
    while (is_space(code_[begin])) ++begin;
    const std::size_t after =
        code_.find_first_not_of(" \t\n", at_ + std::string_view("__shared__").size());
    if (after == std::string::npos) return;
    if (code_.compare(begin, 6, "extern") == 0 || code_.compare(after, 6, "extern") == 0)
      dynamic_array(begin);
    else if (code_.compare(after, 7, "alignas") == 0) aligned_variable(begin, after);
  }

  // nvcc takes alignas after __shared__, where C++ has it before thread_local.
  void aligned_variable(std::size_t begin, std::size_t alignment) {
    const std::size_t end = end_of_parentheses(code_, code_.find('(', alignment));
    if (end == std::string::npos) return;
    replace(begin, end,
            std::string(source_.substr(alignment, end - alignment))
                .append(" ")
                .append(source_.substr(begin, alignment - begin)));
  }

  void dynamic_array(std::size_t begin) {
    const std::size_t end = code_.find(';', at_);
    if (end == std::string::npos) return;
    std::string declared = code_.substr(statement_, end - statement_);
    for (const char* word : {"extern", "__shared__", "__align__", "alignas"})
      remove_word(declared, word);
    const std::size_t bracket = declared.find('[');
    if (bracket == std::string::npos ||
        trimmed(std::string_view(declared).substr(bracket + 1)) != "]")
      return;
    const std::string_view type_and_name = trimmed(std::string_view(declared).substr(0, bracket));
    const std::string array(last_word(type_and_name)),
        type(trimmed(type_and_name.substr(0, type_and_name.size() - array.size())));
    if (type.empty() || array.empty()) return;
    const bool in_function = std::ranges::find(is_namespace_, false) != is_namespace_.end();
    replace(begin, end,
            in_function ? type + "* const " + array + " = ::ladder::dynamic_shared<" + type + ">()"
                        : "static constexpr ::ladder::DynamicShared<" + type + "> " + array + "{}");
  }

  std::string_view source_;
  std::string code_, translated_;
  std::size_t at_ = 0, done_ = 0, statement_ = 0;
  std::vector<bool> is_namespace_;               // of each brace that is open
  std::map<std::string, std::string> clusters_;  // of each kernel with __cluster_dims__, the size
  std::size_t body_ = std::string::npos;         // of the last such kernel, whose size is ..
  std::string size_;
};

void blank(std::string& code, std::size_t begin, std::size_t end) {
  for (std::size_t k = begin; k < std::min(end, code.size()); ++k)
    if (code[k] != '\n') code[k] = ' ';
}

std::string without_text(std::string_view source) {
  std::string code(source);
  bool at_line_start = true;
  for (std::size_t k = 0; k < code.size(); ++k) {
    std::optional<std::size_t> end;
    const auto after = [&](std::string_view what, std::size_t from) {
      const std::size_t found = source.find(what, from);
      return found == std::string_view::npos ? source.size() : found + what.size();
    };
    if (code.compare(k, 2, "//") == 0) {
      end = after("\n", k) - 1;
    } else if (code.compare(k, 2, "/*") == 0) {
      end = after("*/", k + 2);
    } else if (code[k] == '#' && at_line_start) {
      end = k;
      do end = after("\n", *end);
      while (*end < source.size() && *end >= 2 && source[*end - 2] == '\\');
      --*end;
    } else if (code.compare(k, 2, "R\"") == 0 && (k == 0 || !is_of_word(code[k - 1]))) {
      const std::size_t open = source.find('(', k);
      if (open != std::string_view::npos)
        end = after(")" + std::string(source.substr(k + 2, open - k - 2)) + "\"", open);
    } else if (code[k] == '"' || (code[k] == '\'' && (k == 0 || !is_of_word(code[k - 1])))) {
      end = k + 1;
      while (*end < source.size() && source[*end] != source[k] && source[*end] != '\n')
        *end += source[*end] == '\\' ? 2 : 1;
      *end += 1;
    }
    if (!is_space(code[k])) at_line_start = false;
    if (code[k] == '\n') at_line_start = true;
    if (!end) continue;
    blank(code, k, *end);
    k = std::min(*end, code.size()) - 1;
  }
  return code;
}

}  // namespace

std::string in_host_words(std::string_view source) {
  return Translation(source, without_text(source)).text();
}

}  // namespace ladder::rung_compiler
