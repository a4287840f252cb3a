// CUDA C++ in a host compiler's words.
#include "compare/rung_compiler/translate.hpp"

#include "compare/tests/catch.hpp"

using ladder::rung_compiler::in_host_words;

TEST_CASE("a launch becomes a call") {
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
        "__global__ void  k(int* a) { ::ladder::expect_cluster({4, 1, 1}); f(); }\n"
        "void g() { ::ladder::configured_in_clusters({4, 1, 1}, k, 8, 32)(a); "
        "::ladder::configured(l, 8, "
        "32)(a); }");
  CHECK(in_host_words("template <class T> __cluster_dims__(n) __global__ void "
                      "__launch_bounds__(32) k(T x)\n{ } { a::k<int><<<8, 32>>>(x); }") ==
        "template <class T>  __global__ void __launch_bounds__(32) k(T x)\n{ "
        "::ladder::expect_cluster({n}); } "
        "{ ::ladder::configured_in_clusters({n}, a::k<int>, 8, 32)(x); }");
  CHECK(in_host_words("void __cluster_dims__(2) k(); void f() { }") == "void  k(); void f() { }");
}

TEST_CASE("all else stays as it is") {
  for (const char* text : {"// kernel<<<1, 2>>>(a); extern __shared__ T s[];\nint x;",
                           "/* k<<<1, 2>>>(); */",
                           "const char* s = \"k<<<1, 2>>>(a);\";",
                           "char c = '<', d = '\"';",
                           "#define LAUNCH(k) k<<<1, 2>>> \\\n  (a)\nint x;",
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
