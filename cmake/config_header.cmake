# erg_config.h describes this build. It is checked at every build, because `git describe` changes
# without CMake noticing, and rewritten only if its text changes.
# Included, this file makes the target erg_config; run as a script, it writes the header.
if(CMAKE_SCRIPT_MODE_FILE)
    execute_process(COMMAND git describe --tags --always --dirty
        WORKING_DIRECTORY ${ERG_SOURCE}
        OUTPUT_VARIABLE ERG_GIT OUTPUT_STRIP_TRAILING_WHITESPACE
        ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
        set(ERG_GIT "")
    endif()
    configure_file(${ERG_SOURCE}/cmake/erg_config.h.in ${ERG_HEADER} @ONLY)
    return()
endif()

set(ERG_GENERATED_DIR ${PROJECT_BINARY_DIR}/generated)

set(parts "")
foreach(part ${ERG_PARTS})
    string(TOLOWER ${part} name)
    if(ERG_${part})
        string(APPEND parts " +${name}")
    else()
        string(APPEND parts " -${name}")
    endif()
endforeach()
if(ERG_SANITIZE)
    string(APPEND parts " +sanitize-${ERG_SANITIZE}")
endif()
string(STRIP "${parts}" parts)

file(RELATIVE_PATH scenes_from_program
    ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/erg/scenes)

add_custom_target(erg_config
    COMMAND ${CMAKE_COMMAND}
        -DERG_SOURCE=${PROJECT_SOURCE_DIR}
        -DERG_HEADER=${ERG_GENERATED_DIR}/erg_config.h
        -DERG_VERSION=${PROJECT_VERSION}
        "-DERG_COMPILER=${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}"
        -DERG_BUILD_TYPE=${CMAKE_BUILD_TYPE}
        "-DERG_PARTS=${parts}"
        -DERG_SCENES=${scenes_from_program}
        -P ${CMAKE_CURRENT_LIST_FILE}
    BYPRODUCTS ${ERG_GENERATED_DIR}/erg_config.h
    COMMENT "Looking at the version"
    VERBATIM)
