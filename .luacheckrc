-- luacheck lua scenarios tests
std = "lua54"
max_line_length = 120

files["tests/specs"] = { std = "lua54+busted", read_globals = { "across" } }
files["tests/fuzz/api_test.lua"] = { std = "lua54+busted", read_globals = { "across" } }
files["tests/embed"] = { std = "lua54+busted", read_globals = { "across" } }
files["tests/people"] = { std = "lua54+busted" }
files["tests/data"] = { max_line_length = false }
-- annotations: functions without bodies
files["lua/meta"] = { ignore = { "111", "211", "212", "241", "331", "431" }, max_line_length = false }
-- the sandbox fills tables it is given
files["lua/throng/sandbox.lua"] = { ignore = { "122" } }
