# Headers, both libraries, program, scenes, erg.pc and a CMake package. All of it may be moved as a
# whole afterwards: no installed text names the prefix.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/erg)

install(DIRECTORY include/erg DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/erg/scenes)
if(TARGET erg_program)
    install(TARGETS erg_program)
endif()

# Two export sets, because only the static library asks for libyaml and HDF5 again.
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
