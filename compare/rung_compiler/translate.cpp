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

// The places of this character outside of all brackets, from `begin` up to the one that closes what
// is open there. Of `<` and `>` those that are brackets.
std::vector<std::size_t> outermost(std::string_view text, char wanted) {
  std::vector<std::size_t> places;
  int depth = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k], before = k > 0 ? text[k - 1] : ' ',
               after = k + 1 < text.size() ? text[k + 1] : ' ';
    const bool is_comparison =
        (c == '<' || c == '>') &&
        (before == '-' || after == '=' || (c == '<' && after == c) || (c == '<' && before == c));
    if (c == wanted && depth == 0) places.push_back(k);
    if (is_comparison) continue;
    if (std::string_view("([{<").find(c) != std::string_view::npos) ++depth;
    if (std::string_view(")]}>").find(c) != std::string_view::npos && --depth < 0) break;
  }
  return places;
}

std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (const std::size_t comma : outermost(list, ',')) {
    parts.push_back(trimmed(list.substr(begin, comma - begin)));
    begin = comma + 1;
  }
  parts.push_back(trimmed(list.substr(begin)));
  return parts;
}

// "const T* a = nullptr" -> "const T* a"
std::string_view without_default(std::string_view declared) {
  const auto equals = outermost(declared, '=');
  return equals.empty() ? declared : trimmed(declared.substr(0, equals.front()));
}

std::string_view last_word(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_of_word(text[begin - 1])) --begin;
  return text.substr(begin);
}

// What a parameter declares, of a function or of a template: "T* a[4]" -> "a", "class... Ts" ->
// "Ts...". Empty where it declares no name, or one that is not at its end.
std::string name_of_parameter(std::string_view declared) {
  std::string_view before = declared.substr(0, declared.find('['));
  before = trimmed(before);
  const std::string_view name = last_word(before);
  before.remove_suffix(name.size());
  const bool is_type = before.empty() || before.ends_with(':') || trimmed(before) == "const";
  for (const char* word : {"class", "typename", "int", "unsigned", "long", "short", "char", "bool",
                           "float", "double", "auto", "const", "restrict", "__restrict__"})
    if (name == word) return {};
  if (name.empty() || is_type) return {};
  return std::string(name) + (trimmed(before).ends_with("...") ? "..." : "");
}

// Of a list of parameters, all names; nothing where one has none.
std::optional<std::string> names_of(std::string_view list) {
  std::string names;
  if (trimmed(list).empty() || trimmed(list) == "void") return names;
  for (const std::string_view parameter : split(list)) {
    const std::string name = name_of_parameter(without_default(parameter));
    if (name.empty()) return {};
    names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

std::string without_defaults(std::string_view list) {
  std::string all;
  for (const std::string_view parameter : split(list))
    all.append(all.empty() ? "" : ", ").append(without_default(parameter));
  return all;
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

void blank(std::string& code, std::size_t begin, std::size_t end) {
  for (std::size_t k = begin; k < std::min(end, code.size()); ++k)
    if (code[k] != '\n') code[k] = ' ';
}

// The code of a macro, as a part of the source.
struct Macro {
  std::size_t begin, end;
};

// Behind the line that begins here, and those that it goes on in.
std::size_t end_of_directive(std::string_view source, std::size_t begin) {
  for (std::size_t end = begin;;) {
    end = source.find('\n', end);
    if (end == source.npos) return source.size();
    std::size_t last = end++;
    if (last > begin && source[last - 1] == '\r') --last;
    if (last == begin || source[last - 1] != '\\') return end - 1;
  }
}

// "#define NAME(a, b) code"
std::optional<Macro> macro_of(std::string_view source, std::size_t begin, std::size_t end) {
  const auto skip_spaces = [&] {
    while (begin < end && (source[begin] == ' ' || source[begin] == '\t')) ++begin;
  };
  ++begin;
  skip_spaces();
  constexpr std::string_view define = "define";
  if (source.substr(begin, define.size()) != define) return {};
  begin += define.size();
  skip_spaces();
  while (begin < end && is_of_word(source[begin])) ++begin;
  if (begin < end && source[begin] == '(') begin = end_of_parentheses(source, begin);
  if (begin >= end) return {};
  return Macro{begin, end};
}

// A copy of the source in which comments, directives and strings are blank, and, in the code of a
// macro, what joins its lines. A position is the same in both.
std::string without_text(std::string_view source, bool is_macro, std::vector<Macro>& macros) {
  std::string code(source);
  bool at_line_start = !is_macro;
  for (std::size_t k = 0; k < code.size(); ++k) {
    std::optional<std::size_t> end;
    const auto after = [&](std::string_view what, std::size_t from) {
      const std::size_t found = source.find(what, from);
      return found == std::string_view::npos ? source.size() : found + what.size();
    };
    if (code.compare(k, 2, "//") == 0) {
      end = end_of_directive(source, k);
    } else if (code.compare(k, 2, "/*") == 0) {
      end = after("*/", k + 2);
    } else if (code[k] == '#' && at_line_start) {
      end = end_of_directive(source, k);
      if (const auto macro = macro_of(source, k, *end)) macros.push_back(*macro);
    } else if (is_macro && code[k] == '\\') {
      end = k + 1;
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
    if (code[k] == '\n') at_line_start = !is_macro;
    if (!end) continue;
    blank(code, k, *end);
    k = std::min(*end, code.size()) - 1;
  }
  return code;
}

class Translation {
 public:
  explicit Translation(std::string_view source) : Translation(source, "\n", false) {}

  std::string text() {
    auto macro = macros_.begin();
    for (at_ = 0; at_ < code_.size(); ++at_) {
      while (macro != macros_.end() && macro->begin < at_) ++macro;
      if (macro != macros_.end() && at_ == macro->begin) {
        translate(*macro++);
        continue;
      }
      if (launcher_ && at_ == launcher_->at) add_launcher();
      const char c = code_[at_];
      if (c == '{') {
        is_namespace_.push_back(opens_namespace());
        if (const auto size = sizes_.find(at_); size != sizes_.end())
          replace(at_, at_ + 1, "{ ::ladder::expect_cluster(" + size->second + ");");
      }
      if (c == '}' && !is_namespace_.empty()) is_namespace_.pop_back();
      if (c == ';' || c == '{' || c == '}') statement_ = at_ + 1;
      else if (code_.compare(at_, 3, "<<<") == 0) launch();
      else if (starts_word("__shared__")) shared_variable();
      else if (starts_word("__global__")) kernel();
      else if (starts_word("__cluster_dims__")) kernel_of_clusters();
    }
    if (launcher_) add_launcher();
    return translated_.append(source_.substr(done_));
  }

 private:
  // What is known of a kernel of this file.
  struct Kernel {
    std::string cluster;        // the size that __cluster_dims__ gives
    bool has_launcher = false;  // launch_of_kernel()
  };

  // The code of a macro, where the kernels of the file are known.
  Translation(std::string_view source, const Translation& file)
      : Translation(source, "\\\n", true) {
    kernels_ = file.kernels_;
  }

  Translation(std::string_view source, const char* line_end, bool is_macro)
      : text_(source), source_(text_), line_end_(line_end), is_macro_(is_macro) {
    code_ = without_text(source, is_macro, macros_);
    join_brackets('<');
    join_brackets('>');
  }
  Translation(const Translation&) = delete;

  // "<< <" becomes "<<< ", as nvcc takes it. Each line keeps its length.
  void join_brackets(char bracket) {
    const std::string two(2, bracket);
    for (std::size_t at = 0; (at = code_.find(two, at)) != std::string::npos; at += two.size()) {
      const std::size_t third = text_.find_first_not_of(" \t\r\n", at + two.size());
      if (third == std::string::npos || code_[third] != bracket) continue;
      std::swap(code_[at + two.size()], code_[third]);
      std::swap(text_[at + two.size()], text_[third]);
    }
  }

  void translate(const Macro& macro) {
    const std::string_view own = source_.substr(macro.begin, macro.end - macro.begin);
    translated_.append(source_.substr(done_, macro.begin - done_))
        .append(Translation(own, *this).text());
    done_ = macro.end;
    at_ = macro.end - 1;
  }

  bool starts_word(std::string_view word) const {
    return code_.compare(at_, word.size(), word) == 0 &&
           (at_ == 0 || !is_of_word(code_[at_ - 1])) && !is_of_word(code_[at_ + word.size()]);
  }

  bool opens_namespace() const {
    const auto before = trimmed(std::string_view(code_).substr(statement_, at_ - statement_));
    return before.starts_with("namespace") || before.starts_with("inline namespace") ||
           before == "extern";
  }

  bool in_function() const {
    return is_macro_ || std::ranges::find(is_namespace_, false) != is_namespace_.end();
  }

  void replace(std::size_t begin, std::size_t end, const std::string& by) {
    translated_.append(source_.substr(done_, begin - done_)).append(by);
    for (auto lines = std::ranges::count(source_.substr(begin, end - begin), '\n') -
                      std::ranges::count(by, '\n');
         lines > 0; --lines)
      translated_.append(line_end_);
    done_ = end;
    if (end > begin) at_ = end - 1;
  }

  // Of the source, without blanks at both ends.
  std::string part(std::size_t begin, std::size_t end) const {
    while (begin < end && is_space(code_[begin]) && is_blank(begin)) ++begin;
    while (end > begin && is_space(code_[end - 1]) && is_blank(end - 1)) --end;
    return std::string(source_.substr(begin, end - begin));
  }
  // in the source too, be it what joins two lines
  bool is_blank(std::size_t at) const {
    return is_space(source_[at]) || (is_macro_ && source_[at] == '\\');
  }

  // Code, on one line.
  std::string in_one_line(std::size_t begin, std::size_t end) const {
    std::string text = code_.substr(begin, end - begin);
    std::ranges::replace_if(text, is_space, ' ');
    return text;
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
      std::string kernel = part(begin, at_);
      if (kernel.empty()) return;
      // ":::" would be another word
      std::string call = begin > 0 && code_[begin - 1] == ':' ? " " : "";
      const std::string shape = part(at_ + 3, end);
      const auto known = kernels_.find(name_in(kernel));
      const std::string cluster = known == kernels_.end() ? "" : known->second.cluster;
      call += cluster.empty() ? "::ladder::configured(" : "::ladder::configured_in_clusters(";
      if (!cluster.empty()) call += cluster + ", ";
      if (known == kernels_.end() || !known->second.has_launcher) {
        call.append(kernel).append(", ").append(shape).append(")");
      } else {
        kernel.insert(kernel.find(known->first, kernel.substr(0, kernel.find('<')).rfind(':') + 1),
                      launch_of);
        call.append(shape).append(") << ").append(kernel);
      }
      replace(begin, end + 3, call);
      return;
    }
  }

  // "a::kernel<4>" -> "kernel"; empty where it is not a name
  static std::string name_in(std::string_view kernel) {
    const std::string_view name = trimmed(kernel.substr(0, kernel.find('<')));
    return std::ranges::all_of(name,
                               [](char c) { return is_of_word(c) || c == ':' || is_space(c); })
               ? std::string(last_word(name))
               : "";
  }

  // The name and the parameters of the kernel whose words begin behind `from`: those before the
  // first parentheses that are not an attribute's. Nothing where there are none.
  struct Head {
    std::string name;
    std::size_t name_at, open, close;  // behind it
    std::size_t body;                  // "{", or ";" where there is none
  };
  std::optional<Head> head_behind(std::size_t from) const {
    for (std::size_t open = from; (open = code_.find_first_of("({;", open)) != std::string::npos;) {
      const std::size_t close = code_[open] == '(' ? end_of_parentheses(code_, open) : code_.npos;
      if (close == code_.npos) return {};
      const std::string_view before = trimmed(std::string_view(code_).substr(from, open - from));
      const std::string name(last_word(before));
      if (name.empty()) return {};
      const std::size_t next = code_.find_first_not_of(" \t\r\n", close);
      const bool is_head =
          next != code_.npos && !name.starts_with("__") && name != "alignas" &&
          (code_[next] == '{' || code_[next] == ';' || code_.compare(next, 8, "requires") == 0 ||
           code_.compare(next, 8, "noexcept") == 0);
      if (is_head) {
        const std::size_t body = code_.find_first_of("{;", close);
        if (body == code_.npos) return {};
        const auto name_at =
            static_cast<std::size_t>(before.data() - code_.data()) + before.size() - name.size();
        return Head{name, name_at, open, close, body};
      }
      open = close;
    }
    return {};
  }

  // `__cluster_dims__(4, 1, 1) void kernel(..) {`: what launches the kernel by <<< >>> in this file
  // says so, and the kernel asks who launches it otherwise.
  void kernel_of_clusters() {
    const std::size_t open = code_.find('(', at_), end = end_of_parentheses(code_, open);
    if (end == std::string::npos) return;
    const std::string sizes =
        "{" + std::string(trimmed(std::string_view(code_).substr(open + 1, end - open - 2))) + "}";
    if (const auto head = head_behind(end)) {
      kernels_[head->name].cluster = sizes;
      sizes_[head->body] = sizes;
    }
    replace(at_, end, "");
  }

  // Behind `template <class T> __global__ void kernel(T* a, int n = 1) { .. }` comes
  //   template <class T> auto launch_of_kernel(T* a, int n = 1) { return ::ladder::bound(..); }
  // so that a launch may leave to it what a call may: default arguments, and those of the template.
  void kernel() {
    if (in_function() || source_.find("<<<") == source_.npos) return;
    const auto head = head_behind(at_);
    if (!head || code_[head->body] != '{') return;
    std::string declared = in_one_line(statement_, head->name_at);
    for (const char* word :
         {"__global__", "static", "inline", "__inline__", "__forceinline__", "__noinline__",
          "extern", "__launch_bounds__", "__cluster_dims__", "__maxnreg__", "__attribute__"})
      remove_word(declared, word);
    const std::string_view before = trimmed(declared);
    if (last_word(before) != "void") return;
    const std::string list = in_one_line(head->open + 1, head->close - 1);
    const auto names = names_of(list), of_template = template_names(before);
    if (!names || !of_template) return;
    const std::string head_of_template(trimmed(before.substr(0, before.size() - 4)));
    std::size_t end = head->body;
    for (unsigned depth = 0; end < code_.size(); ++end)
      if (depth += code_[end] == '{' ? 1 : code_[end] == '}' ? -1U : 0; depth == 0) break;
    if (end == code_.size()) return;
    launcher_ = {end + 1, head->name,
                 (head_of_template.empty() ? " " : " " + head_of_template + " ") +
                     "static inline __attribute__((unused)) auto " + launch_of + head->name + "(" +
                     list + ") { return ::ladder::bound(static_cast<void (*)(" +
                     without_defaults(list) + ")>(" + head->name + *of_template + ")" +
                     (names->empty() ? "" : ", ") + *names + "); }"};
  }

  void add_launcher() {
    replace(launcher_->at, launcher_->at, launcher_->text);
    kernels_[launcher_->kernel].has_launcher = true;
    launcher_ = {};
  }

  // "template <class T, int n> requires .. void" -> "<T, n>"; nothing where that cannot be told.
  static std::optional<std::string> template_names(std::string_view declared) {
    constexpr std::string_view word = "template";
    if (!declared.starts_with(word)) return "";
    const std::size_t open = declared.find('<');
    if (open == declared.npos) return {};
    const std::string_view inner = declared.substr(open + 1);
    const auto close = outermost(inner, '>');
    if (close.empty()) return {};
    const auto names = names_of(inner.substr(0, close.front()));
    if (!names || names->empty()) return {};
    return "<" + *names + ">";
  }

  void shared_variable() {
    std::size_t begin = statement_;
    while (is_space(code_[begin])) ++begin;
    const std::size_t after =
        code_.find_first_not_of(" \t\r\n", at_ + std::string_view("__shared__").size());
    if (after == std::string::npos) return;
    if (code_.compare(begin, 6, "extern") == 0 || code_.compare(after, 6, "extern") == 0)
      return dynamic_array(begin);
    const std::string refusal = is_initialised(after)
                                    ? "static_assert(false, \"nvcc takes no initializer of a "
                                      "__shared__ variable: let one thread assign it, before a "
                                      "barrier\"); "
                                    : "";
    if (code_.compare(after, 7, "alignas") == 0) aligned_variable(begin, after, refusal);
    else if (!refusal.empty())
      replace(begin, after, refusal + std::string(source_.substr(begin, after - begin)));
  }

  bool is_initialised(std::size_t begin) const {
    const std::string_view declared =
        std::string_view(code_).substr(begin, code_.find_first_of(";{", begin) - begin);
    const std::size_t end = begin + declared.size();
    for (const char* type : {"struct ", "union ", "class ", "enum "})
      if (declared.find(type) != declared.npos && code_[end] == '{') return false;
    return !outermost(declared, '=').empty() || (end < code_.size() && code_[end] == '{');
  }

  // nvcc takes alignas after __shared__, where C++ has it before thread_local.
  void aligned_variable(std::size_t begin, std::size_t alignment, const std::string& refusal) {
    const std::size_t end = end_of_parentheses(code_, code_.find('(', alignment));
    if (end == std::string::npos) return;
    replace(begin, end,
            std::string(refusal)
                .append(source_.substr(alignment, end - alignment))
                .append(" ")
                .append(source_.substr(begin, alignment - begin)));
  }

  void dynamic_array(std::size_t begin) {
    const std::size_t end = code_.find(';', at_);
    if (end == std::string::npos) return;
    std::string declared = in_one_line(statement_, end);
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
    replace(begin, end,
            in_function()
                ? type + "* const " + array + " = ::ladder::dynamic_shared<" + type + ">()"
                : "static constexpr ::ladder::DynamicShared<" + type + "> " + array + "{}");
  }

  static constexpr const char* launch_of = "launch_of_";

  std::string text_;
  std::string_view source_;  // of text_
  std::string line_end_;
  bool is_macro_;
  std::string code_, translated_;
  std::vector<Macro> macros_;
  std::size_t at_ = 0, done_ = 0, statement_ = 0;
  std::vector<bool> is_namespace_;  // of each brace that is open
  std::map<std::string, Kernel> kernels_;
  struct Launcher {
    std::size_t at;
    std::string kernel, text;
  };
  std::optional<Launcher> launcher_;  // of the kernel whose body is on, behind which it comes
  std::map<std::size_t, std::string> sizes_;  // of the cluster, where the body of a kernel begins
};

}  // namespace

std::string in_host_words(std::string_view source) {
  return Translation(source).text();
}

}  // namespace ladder::rung_compiler
