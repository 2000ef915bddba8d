# Shaders are in src/draw/shaders and are embedded in the library: this converts them to a C file
# with one byte array each, named ergi_shader_<name>, whenever one of them changes.
# Included, this file makes the rule; run as a script, it writes the file.
if(CMAKE_SCRIPT_MODE_FILE)
    file(GLOB shaders ${ERG_SHADER_DIR}/*.glsl)
    set(text "// Made from src/draw/shaders by cmake/shaders.cmake.\n#include \"draw/shaders.h\"\n")
    foreach(shader ${shaders})
        get_filename_component(name ${shader} NAME_WE)
        file(READ ${shader} bytes HEX)
        string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
        string(REGEX REPLACE "(................................................................................)"
            "\\1\n    " bytes "${bytes}")
        string(APPEND text "\nconst char ergi_shader_${name}[] = {\n    ${bytes}0};\n")
    endforeach()
    file(WRITE ${ERG_OUTPUT} "${text}")
    return()
endif()

file(GLOB shader_files CONFIGURE_DEPENDS src/draw/shaders/*.glsl)
set(ERG_SHADERS ${ERG_GENERATED_DIR}/draw_shaders.c)
add_custom_command(
    OUTPUT ${ERG_SHADERS}
    COMMAND ${CMAKE_COMMAND}
        -DERG_SHADER_DIR=${PROJECT_SOURCE_DIR}/src/draw/shaders
        -DERG_OUTPUT=${ERG_SHADERS}
        -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${shader_files} ${CMAKE_CURRENT_LIST_FILE}
    COMMENT "Packing the shaders"
    VERBATIM)
