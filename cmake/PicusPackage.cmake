# What a package for a system holds beside libraries and programs, and how CPack makes one of it.

# For builds without CMake. A static library brings what it links itself.
file(RELATIVE_PATH picus_pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" picus_pc_prefix "${picus_pc_prefix}")
set(libs " -lspqr -lcholmod -lumfpack -lklu -lbtf -lamd -lcamd -lcolamd -lccolamd -lsuitesparseconfig -lpthread")
set(requires ", fmt, tbb, qhull_r, hdf5, zlib, openblas")
if(BUILD_SHARED_LIBS)
  set(picus_pc_private_libs "${libs}")
  string(REGEX REPLACE "^," "" picus_pc_private_requires "${requires}")
else()
  set(picus_pc_libs "${libs}")
  set(picus_pc_requires "${requires}")
endif()
configure_file(cmake/picus.pc.in picus.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/picus.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(FILES LICENSE README.md CHANGELOG.md CITATION.cff packaging/THIRD_PARTY.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs" FILES_MATCHING PATTERN "*.md" PATTERN "*.png")
# The same and the API reference as pages, if they have been built: by this target, or before a package is made.
add_custom_target(manual COMMAND "${PROJECT_SOURCE_DIR}/scripts/build_manual.sh" "${PROJECT_BINARY_DIR}/manual" USES_TERMINAL)
install(DIRECTORY "${PROJECT_BINARY_DIR}/manual/" DESTINATION "${CMAKE_INSTALL_DOCDIR}/html" OPTIONAL)
if(PICUS_BUILD_PROGRAM)
  install(FILES packaging/completion.bash DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME picus)
  # Below /usr/local zsh looks into the first of these folders, below /usr that of Debian into the second.
  foreach(folder site-functions vendor-completions)
    install(FILES packaging/completion.zsh DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/${folder}" RENAME _picus)
  endforeach()
  # The page of the manual says what --help says, and so is written by the program that is installed.
  install(CODE "
    set(picus \"$<TARGET_FILE:picus>\")
    set(page \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1/picus.1\")
    execute_process(COMMAND /usr/bin/python3 \"${PROJECT_SOURCE_DIR}/packaging/man_page.py\" \"\${picus}\" \"\${page}\"
      RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
      message(WARNING \"no page of the manual for picus: packaging/man_page.py has failed\")
    endif()")
endif()

set(CPACK_PACKAGE_NAME picus)
set(CPACK_PACKAGE_VENDOR "The Picus authors")
set(CPACK_PACKAGE_CONTACT "The Picus authors <picus@localhost>")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
configure_file(packaging/manual.cmake.in package_manual.cmake @ONLY)
set(CPACK_INSTALL_SCRIPTS "${PROJECT_BINARY_DIR}/package_manual.cmake")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Figures, pages and results as tables; then who builds against the libraries.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, python3-h5py, python3-numpy, python3-matplotlib, python3-jinja2, libjs-three")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "python3-distributed, cmake, g++, libeigen3-dev, libsuitesparse-dev, libopenblas-dev, libhdf5-dev, zlib1g-dev, libfmt-dev, libqhull-dev, libtbb-dev")
include(CPack)
