# What the kernels and their tests need where the target's Debian packages are absent:
# headers of the host that are the same everywhere, and googletest from its sources.
set(folder "${CMAKE_BINARY_DIR}/headers")
file(MAKE_DIRECTORY "${folder}")
foreach(library nlohmann fmt)
  # A link each, since /usr/include also holds the host's C library.
  file(CREATE_LINK "/usr/include/${library}" "${folder}/${library}" SYMBOLIC)
endforeach()
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED GLOBAL)
target_include_directories(nlohmann_json::nlohmann_json SYSTEM INTERFACE "${folder}")
add_library(fmt::fmt INTERFACE IMPORTED GLOBAL)
target_include_directories(fmt::fmt SYSTEM INTERFACE "${folder}")
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)

if(QCONFORM_TESTS)
  add_subdirectory(/usr/src/googletest "${CMAKE_BINARY_DIR}/googletest"
    EXCLUDE_FROM_ALL SYSTEM)
endif()
