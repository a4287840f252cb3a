// Version 3 of Catch2 brings a main of its own; version 2 is compiled here, once.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
