# Halide generators and the objects that they make, without Halide's own CMake package
# (it wants a newer CMake than Debian 12 has).

# The Halide target of each path; kernels/target/path.h says what they require. The
# objects are serial, have no undefined symbols and no run time.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(qconform_paths neon dotprod)
  set(qconform_byte_paths neon dotprod)
  set(qconform_short_sum_paths)
else()
  set(qconform_paths sse41 avx2 avx512 avx512vnni)
  set(qconform_byte_paths avx512vnni)
  set(qconform_short_sum_paths sse41 avx2 avx512)
endif()
set(qconform_halide_target_sse41 x86-64-linux-sse41)
set(qconform_halide_target_avx2 x86-64-linux-sse41-avx-avx2-f16c-fma)
set(qconform_halide_target_avx512
  ${qconform_halide_target_avx2}-avx512-avx512_skylake)
set(qconform_halide_target_avx512vnni
  ${qconform_halide_target_avx512}-avx512_cannonlake-avx512_zen4)
set(qconform_halide_target_neon arm-64-linux)
set(qconform_halide_target_dotprod arm-64-linux-arm_dot_prod)
# A folder each, with generator.cc and kernels.inc.
set(qconform_kernel_families
  activation
  conv
  elementwise
  linear
  matmul
  normalize
  pool
  quantize
  softmax)
# They know no PARAMETERS of rounding.
set(qconform_generators_without_rounding
  dequantize_codes
  dequantize_integers
  pool_max)
set(qconform_halide_flags no_runtime-no_asserts-no_bounds_query-strict_float)

# qconform_halide_generator(NAME generator.cc): a program that runs at build time.
# When cross-compiling, the one that another build made: QCONFORM_HALIDE_GENERATORS.
function(qconform_halide_generator name source)
  if(CMAKE_CROSSCOMPILING)
    add_executable(${name} IMPORTED)
    set_target_properties(${name} PROPERTIES
      IMPORTED_LOCATION "${QCONFORM_HALIDE_GENERATORS}/${name}")
    return()
  endif()
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_include_directories(${name} SYSTEM PRIVATE "${QCONFORM_HALIDE_ROOT}/include")
  # It calls libHalide, which no sanitizer knows.
  target_compile_options(${name} PRIVATE -fno-rtti -fno-sanitize=all)
  target_link_libraries(${name} PRIVATE
    "-Wl,--whole-archive" "${QCONFORM_HALIDE_ROOT}/lib64/libHalide_GenGen.a"
    "-Wl,--no-whole-archive" "${QCONFORM_HALIDE_ROOT}/lib64/libHalide.so"
    Threads::Threads ${CMAKE_DL_LIBS})
  set_target_properties(${name} PROPERTIES
    BUILD_RPATH "${QCONFORM_HALIDE_ROOT}/lib64")
endfunction()

# One object; appends its name to the variable `objects` of the caller.
function(qconform_halide_object generator_target generator symbol path parameters)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/objects")
  separate_arguments(arguments UNIX_COMMAND "${parameters}")
  add_custom_command(
    OUTPUT "${folder}/${symbol}.o"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
    COMMAND "${CMAKE_COMMAND}" -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:${generator_target}> -g ${generator} -f ${symbol} -e o -o "${folder}"
            target=${qconform_halide_target_${path}}-${qconform_halide_flags}
            ${arguments}
    DEPENDS ${generator_target}
    COMMENT "Halide: ${symbol}"
    VERBATIM)
  list(APPEND objects "${folder}/${symbol}.o")
  set(objects "${objects}" PARENT_SCOPE)
endfunction()

# qconform_halide_backend(NAME PREFIX symbol_prefix [BYTES_EVERYWHERE] [PARAMETERS ..])
# The shared object NAME with the kernels of every family's kernels.inc. Those that do not
# round know no PARAMETERS.
function(qconform_halide_backend name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "BYTES_EVERYWHERE" "PREFIX" "PARAMETERS")
  set(objects)
  foreach(family IN LISTS qconform_kernel_families)
    set(list "${CMAKE_CURRENT_SOURCE_DIR}/${family}/kernels.inc")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list}")
    file(STRINGS "${list}" lines REGEX "^QCONFORM_KERNEL_")
    foreach(line IN LISTS lines)
      if(NOT line MATCHES
         "^QCONFORM_KERNEL_([A-Z_]+)\\(([a-z0-9_]+), ([a-z0-9_]+), \"([^\"]*)\"\\)$")
        message(FATAL_ERROR "${list}: cannot read '${line}'")
      endif()
      set(where "${CMAKE_MATCH_1}")
      set(kernel "${CMAKE_MATCH_2}")
      set(generator "${CMAKE_MATCH_3}")
      set(parameters "${CMAKE_MATCH_4}")
      if(NOT generator IN_LIST qconform_generators_without_rounding)
        string(JOIN " " parameters "${parameters}" ${arg_PARAMETERS})
      endif()
      set(paths ${qconform_paths})
      if(where STREQUAL "BYTES" AND NOT arg_BYTES_EVERYWHERE)
        set(paths ${qconform_byte_paths})
      elseif(where STREQUAL "SHORT_SUMS")
        set(paths ${qconform_short_sum_paths})
      endif()
      foreach(path IN LISTS paths)
        set(of_path "${parameters}")
        if(where STREQUAL "BYTES" AND path MATCHES "^(neon|dotprod)$")
          # No instruction of Armv8.0 or 8.2 multiplies unsigned bytes by signed ones.
          string(REPLACE "input.type=uint8" "input.type=int8" of_path "${of_path}")
        endif()
        if(where STREQUAL "BYTES" AND path STREQUAL "neon")
          string(REPLACE "group=4" "group=2" of_path "${of_path}")
        endif()
        qconform_halide_object(qconform_${family}_generator ${generator}
          ${arg_PREFIX}_${kernel}_${path} ${path} "${of_path}")
      endforeach()
    endforeach()
  endforeach()

  add_library(${name} MODULE target/kernel_table.cc ${objects})
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_compile_definitions(${name} PRIVATE QCONFORM_KERNEL_PREFIX=${arg_PREFIX}
    $<$<BOOL:${arg_BYTES_EVERYWHERE}>:QCONFORM_BYTES_EVERYWHERE>)
  target_compile_options(${name} PRIVATE -fvisibility=hidden)
  target_link_libraries(${name} PRIVATE
    "-Wl,--whole-archive" qconform_kernels "-Wl,--no-whole-archive" qconform_target
    "-Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/backend/export.map")
  set_target_properties(${name} PROPERTIES
    LINK_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/backend/export.map")
endfunction()
