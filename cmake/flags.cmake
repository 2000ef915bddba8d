# Compiler flags. Never -march=native: a build must run, and give the same bits, on other machines.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_C_FLAGS_RELEASE "-O3 -g1 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O0 -g")

add_compile_definitions(_POSIX_C_SOURCE=200809L) # -std=c17 hides clock_gettime and friends
foreach(part ${ERG_PARTS})
    add_compile_definitions(ERG_WITH_${part}=$<BOOL:${ERG_${part}}>)
endforeach()

add_compile_options(
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes
    -Wmissing-prototypes -Wvla -Wundef
    -ffp-contract=off     # fused only in ergi_fma: else bits would depend on the processor
    -fno-math-errno       # else sqrtf prevents vectorisation
    -fno-trapping-math    # and so do comparisons
    -fopenmp-simd)        # `#pragma omp simd` takes effect even without threads

# Warnings disabled for a compiler where they hit intended code: clang's double-promotion (INFINITY of math.h)
# and string-conversion (assert(!"reason")), gcc's format-truncation (text truncated on purpose),
# both compilers' psabi (vectors passed only between inlined functions), clang's pass-failed (a loop
# that stays scalar).
add_compile_options(
    $<$<C_COMPILER_ID:GNU>:-Wdouble-promotion>
    $<$<C_COMPILER_ID:GNU>:-Wno-format-truncation>
    $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>
    -Wno-psabi
    $<$<C_COMPILER_ID:Clang>:-Wno-string-conversion>)

if(ERG_WERROR)
    add_compile_options(-Werror)
endif()

if(ERG_SANITIZE STREQUAL "address")
    set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)
elseif(ERG_SANITIZE STREQUAL "thread")
    set(sanitizers -fsanitize=thread)
elseif(ERG_SANITIZE)
    message(FATAL_ERROR "ERG_SANITIZE is '${ERG_SANITIZE}', expected address, thread or nothing")
else()
    add_link_options($<$<LINK_LANG_AND_ID:C,GNU,Clang>:LINKER:-z,defs>)
endif()
if(ERG_SANITIZE)
    add_compile_options(${sanitizers} -O1 -g -fno-omit-frame-pointer)
    # gcc spends minutes on these two for each instruction set, without any gain here.
    add_compile_options($<$<C_COMPILER_ID:GNU>:-fno-tree-pta> $<$<C_COMPILER_ID:GNU>:-fno-var-tracking>)
    add_link_options(${sanitizers})
endif()

# Flags of single files, such as a hot kernel built once per instruction set:
#     erg_file_flags(src/dem/kernel_avx2.c -mavx2)
function(erg_file_flags file)
    set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${ARGN}")
endfunction()

# gcc 12 miscompiles straight-line code in which a double becomes a float and a double again, as in
# ergi_fma without the instruction: its vectoriser omits the rounding to float.
erg_file_flags(src/dem/real_float.c -fno-tree-slp-vectorize)
erg_file_flags(src/upsample/fine_scalar.c -fno-tree-slp-vectorize)
erg_file_flags(src/pbd/kernels_plain.c -fno-tree-slp-vectorize)

# The hot passes, compiled once per instruction set; src/dem/isa.c selects one when a world is
# created.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_compile_definitions(ERG_X86_KERNELS)
    # gcc 12 fuses products and sums of straight-line code even with -ffp-contract=off if the
    # processor supports it; without this optimiser it does not (checked by test_isa.sh).
    erg_file_flags(src/dem/real_float_avx2.c -mavx2 -mfma -fno-tree-slp-vectorize)
    # The AVX-512 copy evaluates laws in rows of 512 bits, the other one does not (src/dem/isa.c).
    set(avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -fno-tree-slp-vectorize)
    erg_file_flags(src/pbd/kernels_avx2.c -mavx2 -fno-tree-slp-vectorize)
    erg_file_flags(src/pbd/kernels_avx512.c -mavx512f -mavx512dq -mavx512vl -mavx512bw
        -mprefer-vector-width=256 -fno-tree-slp-vectorize)
    erg_file_flags(src/dem/real_float_avx512.c ${avx512} -mprefer-vector-width=256)
    erg_file_flags(src/dem/real_float_avx512_wide.c ${avx512} -mprefer-vector-width=512)
    erg_file_flags(src/contact/grid_search_avx2.c -mavx2 -fno-tree-slp-vectorize)
    erg_file_flags(src/contact/grid_search_avx512.c -mavx512f -mavx512dq
        -mprefer-vector-width=512 -fno-tree-slp-vectorize)
    erg_file_flags(src/terrain/flux_avx2.c -mavx2)
    erg_file_flags(src/upsample/fine_avx2.c -mavx2 -mfma -fno-tree-slp-vectorize)
    erg_file_flags(src/upsample/fine_avx512.c ${avx512} -mprefer-vector-width=512)
endif()
