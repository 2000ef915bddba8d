# Options and their dependencies. Every optional part can be off; sources see ERG_WITH_<PART> as 0
# or 1.
find_package(PkgConfig REQUIRED)
find_package(OpenMP COMPONENTS C QUIET)

option(ERG_OPENMP "Run on several threads" ${OpenMP_C_FOUND})
option(ERG_HDF5 "Write checkpoints and VTKHDF snapshots" ON)
# AUTO is evaluated at every configuration, so that libraries installed later are found.
set(ERG_DRAW AUTO CACHE STRING "Draw pictures and films: ON, OFF or AUTO")
set(ERG_VIEW AUTO CACHE STRING "Open a window: ON, OFF or AUTO; needs pictures")
set_property(CACHE ERG_DRAW ERG_VIEW PROPERTY STRINGS AUTO ON OFF)
pkg_check_modules(DRAW QUIET IMPORTED_TARGET epoxy egl libpng)
pkg_check_modules(WINDOW QUIET IMPORTED_TARGET glfw3)
find_package(Threads QUIET)
# From here on ERG_DRAW is ON or OFF; the cache entry stays AUTO.
if(ERG_DRAW STREQUAL "AUTO")
    set(ERG_DRAW OFF)
    if(DRAW_FOUND)
        set(ERG_DRAW ON)
    endif()
endif()
if(ERG_VIEW STREQUAL "AUTO")
    set(ERG_VIEW OFF)
    if(ERG_DRAW AND WINDOW_FOUND AND Threads_FOUND)
        set(ERG_VIEW ON)
    endif()
endif()
option(ERG_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(ERG_FUZZ "Offer the fuzz targets (clang)" OFF)
option(ERG_WERROR "Treat warnings as errors" ON)
set(ERG_SANITIZE "" CACHE STRING "Sanitizer: empty, address (with undefined) or thread")
set_property(CACHE ERG_SANITIZE PROPERTY STRINGS "" address thread)

pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
set(ERG_LIBRARIES PkgConfig::YAML)
# Libraries that a program linking liberg.a must add, for erg.pc.
set(ERG_STATIC_LIBS ${YAML_LDFLAGS})

if(ERG_HDF5)
    pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
    list(APPEND ERG_LIBRARIES PkgConfig::HDF5)
    list(APPEND ERG_STATIC_LIBS ${HDF5_LDFLAGS})
endif()

# libepoxy loads libEGL and libGL when the first picture is drawn; nothing else needs them.
if(ERG_DRAW)
    pkg_check_modules(DRAW REQUIRED IMPORTED_TARGET epoxy egl libpng)
    pkg_check_modules(PICTURE REQUIRED IMPORTED_TARGET epoxy libpng)
    list(APPEND ERG_LIBRARIES PkgConfig::PICTURE)
    list(APPEND ERG_STATIC_LIBS ${PICTURE_LDFLAGS})
endif()

if(ERG_VIEW)
    if(NOT ERG_DRAW)
        message(FATAL_ERROR "ERG_VIEW=ON needs ERG_DRAW=ON: a window shows pictures")
    endif()
    pkg_check_modules(WINDOW REQUIRED IMPORTED_TARGET glfw3)
    find_package(Threads REQUIRED)
endif()

if(ERG_OPENMP)
    find_package(OpenMP REQUIRED COMPONENTS C)
    list(APPEND ERG_LIBRARIES OpenMP::OpenMP_C)
    list(TRANSFORM OpenMP_C_LIB_NAMES PREPEND "-l" OUTPUT_VARIABLE openmp_flags)
    list(APPEND ERG_STATIC_LIBS ${openmp_flags})
endif()
list(APPEND ERG_STATIC_LIBS -lm)

# Listed by `erg --version`, and available to sources in #if.
set(ERG_PARTS OPENMP HDF5 DRAW VIEW)
