# The ROS wheels on PyPI export include directories of the container they were built in
# (/opt/python/..., /opt/_internal/...). CMake stops at "generate" when such a directory is missing.
# Dropping the missing ones from the imported targets is enough: the consumer links
# Python3::Module and Python3::NumPy itself. On a ROS 2 install nothing matches and nothing changes.
function(_drop_missing_wheel_includes)
  get_property(targets DIRECTORY PROPERTY IMPORTED_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(includes ${target} INTERFACE_INCLUDE_DIRECTORIES)
    if(NOT includes)
      continue()
    endif()
    set(kept "")
    foreach(include IN LISTS includes)
      if(NOT include MATCHES "^/opt/(python|_internal)/" OR EXISTS "${include}")
        list(APPEND kept "${include}")
      endif()
    endforeach()
    set_property(TARGET ${target} PROPERTY INTERFACE_INCLUDE_DIRECTORIES "${kept}")
  endforeach()
endfunction()

# Deferred, because the imported targets only exist after the find_package calls.
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _drop_missing_wheel_includes)
