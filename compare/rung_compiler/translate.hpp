// Translates the CUDA C++ that a host compiler refuses into C++ that it takes. The rest of CUDA is
// names, which headers define (compare/emulated/).
#pragma once

#include <string>
#include <string_view>

namespace ladder::rung_compiler {

//   kernel<T><<<grid, block, bytes, stream>>>(a, b)   ->  ::ladder::configured(kernel<T>, grid,
//   block, bytes, stream)(a, b)
//   extern __shared__ T tile[];                       ->  T* const tile =
//   ::ladder::dynamic_shared<T>();
//
// Outside of functions the second becomes an object that converts to T*. Where kernels
// are launched by <<< >>>, behind each comes a function of its parameters, which a launch calls:
//
//   kernel<<<grid, block>>>(a, b)  ->  ::ladder::configured(grid, block) << launch_of_kernel(a, b)
//
// Lines keep their numbers. Comments, strings, and directives other than #define stay as they are.
// What nvcc refuses and a host compiler takes becomes an error: a __shared__ variable with an
// initializer.
std::string in_host_words(std::string_view source);

}  // namespace ladder::rung_compiler
