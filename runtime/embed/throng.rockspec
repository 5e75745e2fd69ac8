-- Of `make rock`, which fills in the version and the files.
rockspec_format = "3.0"
package = "throng"
version = "@VERSION@-1"
source = { url = "file://throng.so" }
description = { summary = "Crowds scripted in Lua", license = "MIT" }
dependencies = { "lua ~> 5.4" }
build = {
  type = "none",
  install = { lib = { throng = "throng.so" }, lua = { @FILES@ } },
  copy_directories = { "doc" },
}
