# Installs the build folder `build`, then builds and runs `source` against the package as
# a user would. Run by CTest with cmake -P.
set(work ${build}/installed_package)
set(prefix ${work}/prefix)
file(REMOVE_RECURSE ${prefix})

function(run)
  string(JOIN " " text ${ARGV})
  message("== ${text}")
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component library tools)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${build} --prefix ${prefix}
    --component ${component} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endforeach()
# The package must be found wherever it lies: no path of the build folder may be in it.
file(REMOVE_RECURSE ${work}/moved)
file(RENAME ${prefix} ${work}/moved)
run(${CMAKE_COMMAND} -S ${source} -B ${work}/build -G ${generator}
  -D CMAKE_PREFIX_PATH=${work}/moved
  -D CMAKE_BUILD_TYPE=Debug
  -D CMAKE_CXX_COMPILER=${cxx_compiler} -D CMAKE_C_COMPILER=${c_compiler}
  -D CMAKE_CXX_COMPILER_LAUNCHER=${launcher}
  -D CMAKE_CXX_FLAGS=${cxx_flags} -D CMAKE_C_FLAGS=${c_flags})
run(${CMAKE_COMMAND} --build ${work}/build)
run(${CMAKE_CTEST_COMMAND} --test-dir ${work}/build --output-on-failure --no-tests=error)
