# test/test_*.c are programs, test/test_*.sh are scripts; both run under the label "fast", those in
# test/long under "long". Further labels are on one line near the top of the file:
#     // labels: asan tsan clang        (# labels: ... in a script)
# asan, tsan, clang: also run in that build; long-asan: a long test that also runs in asan. serial:
# runs alone on the machine. hdf5, draw, view: skipped in a build without HDF5, pictures or the
# window. screen: needs Xvfb, a virtual screen; skipped if it is not installed. Every test ends with
# `N passed, N failed`; tools/test adds these numbers.
enable_testing()

set(test_environment
    ERG=${PROJECT_BINARY_DIR}/erg
    ERG_SOURCE=${PROJECT_SOURCE_DIR}
    ERG_BUILD=${PROJECT_BINARY_DIR}
    OMP_WAIT_POLICY=passive # tests share the processors
    UBSAN_OPTIONS=print_stacktrace=1
    TSAN_OPTIONS=ignore_noninstrumented_modules=1) # libomp is not instrumented

find_program(ERG_XVFB Xvfb)
mark_as_advanced(ERG_XVFB)
set(label_needs_hdf5 ${ERG_HDF5})
set(label_needs_draw ${ERG_DRAW})
set(label_needs_view ${ERG_VIEW})
set(label_needs_screen ${ERG_XVFB})

function(erg_add_test file speed timeout)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} line REGEX "^(//|#) labels: " LIMIT_COUNT 1)
    string(REGEX REPLACE "^(//|#) labels: *" "" labels "${line}")
    separate_arguments(labels)
    foreach(label IN LISTS labels)
        if(DEFINED label_needs_${label} AND NOT label_needs_${label})
            return()
        endif()
    endforeach()

    get_filename_component(name ${file} NAME_WE)
    if(file MATCHES "[.]c$")
        add_executable(${name} ${file})
        add_dependencies(${name} erg_config)
        target_include_directories(${name} PRIVATE src test cli ${ERG_GENERATED_DIR})
        if("view" IN_LIST labels)
            target_link_libraries(${name} PRIVATE erg_viewer)
        endif()
        target_link_libraries(${name} PRIVATE erg_static ${ERG_LIBRARIES} m)
        set_target_properties(${name} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
        set(command $<TARGET_FILE:${name}>)
    else()
        set(command bash ${file})
    endif()

    add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/tools/with-tmpdir ${command})
    set_tests_properties(${name} PROPERTIES
        LABELS "${speed};${labels}"
        ENVIRONMENT "${test_environment}"
        TIMEOUT ${timeout})
    if("serial" IN_LIST labels)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
    endif()
endfunction()

file(GLOB fast_tests CONFIGURE_DEPENDS test/test_*.c test/test_*.sh)
file(GLOB long_tests CONFIGURE_DEPENDS test/long/test_*.c test/long/test_*.sh)
foreach(file ${fast_tests})
    erg_add_test(${file} fast 300)
endforeach()
foreach(file ${long_tests})
    erg_add_test(${file} long 3600)
endforeach()
