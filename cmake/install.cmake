# Installs headers, both libraries, program, scenes, documentation, examples, the manual page,
# erg.pc and a CMake package. The installation can be moved as a whole: no installed text contains
# the prefix.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/erg)

install(DIRECTORY include/erg DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/erg/scenes)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
if(TARGET erg_program)
    install(TARGETS erg_program)
endif()

# Generated from the program's own help, so that it is never out of date. A cross-compiled program
# cannot run here and is installed without it.
if(TARGET erg_program AND NOT CMAKE_CROSSCOMPILING)
    set(manual ${PROJECT_BINARY_DIR}/erg.1)
    add_custom_command(OUTPUT ${manual}
        COMMAND ${PROJECT_SOURCE_DIR}/tools/man $<TARGET_FILE:erg_program> > ${manual}
        DEPENDS erg_program ${PROJECT_SOURCE_DIR}/tools/man VERBATIM)
    add_custom_target(manual ALL DEPENDS ${manual})
    install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# Two export sets, because only users of the static library need libyaml and HDF5.
install(TARGETS erg_shared EXPORT ergTargets)
install(TARGETS erg_static EXPORT ergStaticTargets)
foreach(set ergTargets ergStaticTargets)
    install(EXPORT ${set} NAMESPACE erg:: DESTINATION ${package_dir})
endforeach()
configure_package_config_file(cmake/ergConfig.cmake.in
    ${PROJECT_BINARY_DIR}/ergConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
    ${PROJECT_BINARY_DIR}/ergConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ergConfig.cmake ${PROJECT_BINARY_DIR}/ergConfigVersion.cmake
    DESTINATION ${package_dir})

file(RELATIVE_PATH prefix_from_pc
    ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
list(JOIN ERG_STATIC_LIBS " " static_libs)
configure_file(cmake/erg.pc.in ${PROJECT_BINARY_DIR}/erg.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/erg.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
