// CUDA C++ in a host compiler's words.
#include "compare/rung_compiler/translate.hpp"

#include "compare/tests/catch.hpp"

using ladder::rung_compiler::in_host_words;

namespace {

// Behind a kernel: `head` is what it has of a template.
std::string launcher(const std::string& head, const std::string& kernel,
                     const std::string& parameters, const std::string& plain,
                     const std::string& of_template, const std::string& names) {
  return " " + head + "static inline __attribute__((unused)) auto launch_of_" + kernel + "(" +
         parameters + ") { return ::ladder::bound(static_cast<void (*)(" + plain + ")>(" + kernel +
         of_template + ")" + names + "); }";
}

}  // namespace

TEST_CASE("a launch becomes a call, also with blanks within its brackets") {
  CHECK(in_host_words("{ kernel << <1, 2>> >(x); }") ==
        "{ ::ladder::configured(kernel, 1, 2) (x); }");
  CHECK(in_host_words("#define GO(k) k<< <1, 2 >> > ()\n") ==
        "#define GO(k) ::ladder::configured(k, 1, 2)  ()\n");
  CHECK(in_host_words("s = \"<< <\"; // >> >\nm = (a << 1) >> 2;") ==
        "s = \"<< <\"; // >> >\nm = (a << 1) >> 2;");
  CHECK(in_host_words("out << \"a\" << b /* */ << c;") == "out << \"a\" << b /* */ << c;");
  CHECK(in_host_words("void f() { kernel<<<grid, 256>>>(a, b); }") ==
        "void f() { ::ladder::configured(kernel, grid, 256)(a, b); }");
  CHECK(in_host_words(
            "if (n > 0) k<T, 4> <<< (n + 1) / 2, dim3(32), 4 * sizeof(T), stream >>> (a);") ==
        "if (n > 0) ::ladder::configured(k<T, 4>, (n + 1) / 2, dim3(32), 4 * sizeof(T), stream) "
        "(a);");
  CHECK(in_host_words("x = 1; a::b<c<d>><<<1, 2>>>(); y();") ==
        "x = 1; ::ladder::configured(a::b<c<d>>, 1, 2)(); y();");
  CHECK(in_host_words("{kernels[k]<<<1, (2 >> 1)>>>(x);}") ==
        "{::ladder::configured(kernels[k], 1, (2 >> 1))(x);}");
  CHECK(in_host_words("{ this->k_<<<1, 2>>>(x); }") ==
        "{ ::ladder::configured(this->k_, 1, 2)(x); }");
  CHECK(in_host_words("{ (*k)<<<1, 2>>>(x); }") == "{ ::ladder::configured((*k), 1, 2)(x); }");
  CHECK(in_host_words("{ s[k].kernel<<<1, 2>>>(x); }") ==
        "{ ::ladder::configured(s[k].kernel, 1, 2)(x); }");
  CHECK(in_host_words("{ Table<T>::kernel<<<1, 2>>>(x); }") ==
        "{ ::ladder::configured(Table<T>::kernel, 1, 2)(x); }");
  CHECK(in_host_words("case 4:k<<<1, 2>>>(x);") == "case 4: ::ladder::configured(k, 1, 2)(x);");
  CHECK(in_host_words("k<<<a,\n  b>>>(c);\nd") == "::ladder::configured(k, a,\n  b)(c);\nd");
}

TEST_CASE(
    "dynamic shared memory becomes a pointer in a function, and what converts to one elsewhere") {
  CHECK(
      in_host_words("template <class T> void f() {\n  extern __shared__ T tile[];\n  g(tile); }") ==
      "template <class T> void f() {\n  T* const tile = ::ladder::dynamic_shared<T>();\n  g(tile); "
      "}");
  CHECK(in_host_words("void f() { extern volatile __shared__ __align__(16) unsigned char s[]; }") ==
        "void f() { volatile   unsigned char* const s = ::ladder::dynamic_shared<volatile   "
        "unsigned char>(); }");
  CHECK(in_host_words("void f() { if (x) { extern __shared__ alignas(8) float2 s[]; } }") ==
        "void f() { if (x) { float2* const s = ::ladder::dynamic_shared<float2>(); } }");
  CHECK(in_host_words("namespace a {\nextern __shared__ int s[];\nvoid f() { s[0] = 1; } }") ==
        "namespace a {\nstatic constexpr ::ladder::DynamicShared<int> s{};\nvoid f() { s[0] = 1; } "
        "}");
  CHECK(in_host_words("extern \"C\" __global__ void f() { extern __shared__ int s[]; }") ==
        "extern \"C\" __global__ void f() { int* const s = ::ladder::dynamic_shared<int>(); }");
  CHECK(in_host_words("extern\n__shared__\nint s[];") ==
        "static constexpr ::ladder::DynamicShared<int> s{}\n\n;");
  CHECK(in_host_words("void f() { __shared__ extern float s[]; }") ==
        "void f() { float* const s = ::ladder::dynamic_shared<float>(); }");
}

TEST_CASE("an alignment after __shared__ goes before it") {
  CHECK(in_host_words("void f() { g();\n  __shared__ alignas(16) int s[4]; }") ==
        "void f() { g();\n  alignas(16) __shared__  int s[4]; }");
  CHECK(in_host_words("{ static __shared__ alignas(alignof(T)) T s; }") ==
        "{ alignas(alignof(T)) static __shared__  T s; }");
  CHECK(in_host_words("{ __shared__\n alignas(8) int s; }") ==
        "{ alignas(8) __shared__\n  int s; }");
}

TEST_CASE("a kernel of clusters tells its launches, and asks about others") {
  CHECK(in_host_words("__global__ void __cluster_dims__(4, 1, 1) k(int* a) { f(); }\nvoid g() { "
                      "k<<<8, 32>>>(a); l<<<8, 32>>>(a); }") ==
        "__global__ void  k(int* a) { ::ladder::expect_cluster({4, 1, 1}); f(); }" +
            launcher("", "k", "int* a", "int* a", "", ", a") +
            "\nvoid g() { ::ladder::configured_in_clusters({4, 1, 1}, 8, 32) << launch_of_k(a); "
            "::ladder::configured(l, 8, 32)(a); }");
  CHECK(in_host_words("template <class T> __cluster_dims__(n) __global__ void "
                      "__launch_bounds__(32) k(T x)\n{ } { a::k<int><<<8, 32>>>(x); }") ==
        "template <class T>  __global__ void __launch_bounds__(32) k(T x)\n{ "
        "::ladder::expect_cluster({n}); }" +
            launcher("template <class T> ", "k", "T x", "T x", "<T>", ", x") +
            " { ::ladder::configured_in_clusters({n}, 8, 32) << a::launch_of_k<int>(x); }");
  CHECK(in_host_words("void __cluster_dims__(2) k(); void f() { }") == "void  k(); void f() { }");
}

TEST_CASE("behind a kernel comes a function that its launches call") {
  const std::string plain =
      "static __global__ void __launch_bounds__(64, 2) k(const int* a, int n = 1) { }";
  CHECK(in_host_words(plain + " void f() { a::k<<<1, 2>>>(x); }") ==
        plain + launcher("", "k", "const int* a, int n = 1", "const int* a, int n", "", ", a, n") +
            " void f() { ::ladder::configured(1, 2) << a::launch_of_k(x); }");
  const std::string of_template =
      "template <unsigned n, class... T>\n__global__ void k(T*... a) { if (n) { g(); } }";
  CHECK(in_host_words(of_template + " void f() { k<4><<<1, 2, 0, s>>>(x); }") ==
        of_template +
            launcher("template <unsigned n, class... T> ", "k", "T*... a", "T*... a", "<n, T...>",
                     ", a...") +
            " void f() { ::ladder::configured(1, 2, 0, s) << launch_of_k<4>(x); }");
  CHECK(in_host_words("__global__ void k() { k<<<1, 2>>>(); }") ==
        "__global__ void k() { ::ladder::configured(k, 1, 2)(); }" +
            launcher("", "k", "", "", "", ""));
  // where nothing is launched by its name
  CHECK(in_host_words(plain) == plain);
  for (const std::string text :
       {"template <> __global__ void k<int>(int* a) { }", "__global__ void k(int* a);",
        "__global__ void k(int*, T) { }", "__global__ void k(int (*f)(int)) { }",
        "template <class> __global__ void k(int* a) { }",
        "struct S { __global__ void k(int a) {} };",
        "#define KERNEL __global__ void k(int a) { }"}) {
    INFO(text);
    CHECK(in_host_words(text + "\n<<<") == text + "\n<<<");
  }
  CHECK(in_host_words("__global__ void k() { } void f() { this->k<<<1, 2>>>(); }")
            .find("configured(this->k, 1, 2)()") != std::string::npos);
}

TEST_CASE("a macro is code too, and goes on over its lines") {
  CHECK(in_host_words("#define LAUNCH(k) k<<<1, 2>>> \\\n  (a)\nint x;") ==
        "#define LAUNCH(k) ::ladder::configured(k, 1, 2) \\\n  (a)\nint x;");
  CHECK(
      in_host_words(
          "#define LAUNCH(n) \\\r\n  case n: k<n> \\\r\n <<<1, \\\r\n 2>>>(a)\r\nint x;") ==
      "#define LAUNCH(n) \\\r\n  case n: ::ladder::configured(k<n>, 1, \\\r\n 2)\\\n(a)\r\nint x;");
  CHECK(in_host_words("# define TILE(T) extern __shared__ T s[]; g(#T)\n") ==
        "# define TILE(T) T* const s = ::ladder::dynamic_shared<T>(); g(#T)\n");
  CHECK(in_host_words("void f() {\n#define ONE {\n#define TWO k<<<1, 2>>>()\n}") ==
        "void f() {\n#define ONE {\n#define TWO ::ladder::configured(k, 1, 2)()\n}");
  CHECK(in_host_words("__global__ void k(int a) { }\n#define K k<<<1, 2>>>(3)\n")
            .find("#define K ::ladder::configured(1, 2) << launch_of_k(3)\n") != std::string::npos);
}

TEST_CASE("a shared variable with an initializer is refused, as by nvcc") {
  const auto is_refused = [](const char* text) {
    return in_host_words(text).find("static_assert(false, \"nvcc takes no initializer") !=
           std::string::npos;
  };
  for (const char* text :
       {"{ __shared__ int s = 0; }", "{ __shared__ int s[4] = {}; }",
        "{ static __shared__ T s{}; }", "{ __shared__ alignas(16) int s = 0; }",
        "{ __shared__ int a, s\n = 0; }", "{ __shared__ std::array<int, 4> s = {1}; }",
        "#define S __shared__ int s = 0\n"}) {
    INFO(text);
    CHECK(is_refused(text));
  }
  for (const char* text :
       {"{ __shared__ int s; s = 0; }", "{ __shared__ struct { int a = 0; } s; }",
        "{ __shared__ std::conditional_t<(a <= b), int, long> s; x = 1; }",
        "{ __shared__ T s[n == 1 ? 2 : 3]; }", "#define S __shared__\nint x = 0;"}) {
    INFO(text);
    CHECK(!is_refused(text));
  }
}

TEST_CASE("all else stays as it is") {
  for (const char* text : {"// kernel<<<1, 2>>>(a); extern __shared__ T s[];\nint x;",
                           "/* k<<<1, 2>>>(); */",
                           "const char* s = \"k<<<1, 2>>>(a);\";",
                           "char c = '<', d = '\"';",
                           "#define LAUNCH(k) // k<<<1, 2>>>()\nint x;",
                           "#if k<<<1, 2>>>()\n#endif",
                           "#define SHAPE <<<1, 2>>>",
                           "R\"x(k<<<1, 2>>>(a))x\"",
                           "__shared__ int s[4];",
                           "alignas(8) __shared__ int s;",
                           "__shared__ alignas(8",
                           "static __shared__ int s[4];",
                           "extern __shared__ int s[4];",
                           "extern int s[];",
                           "a <<= 3; b << c << d; x = y << (z >> 3);",
                           "f<<<",
                           "__cluster_dims__",
                           "__cluster_dims__(",
                           "}}; ]]",
                           "\"unended",
                           "",
                           "1'000'000 + 'a'",
                           "extern \"C\" { void f(); }"}) {
    INFO(text);
    CHECK(in_host_words(text) == text);
  }
}
