-- `throng report` of the results of a study or a calibration: host, throng's library folder, their file, and where the
-- page is to go ("": beside them). The exit code; 3: the file holds neither.
local host, _, path, out = ...

local NO_STUDY = 3

local database = host.library "study_database"(host)
local statistics = host.library "statistics"(host, host.library "study_design"(host).uniform)
local chart = host.library "study_chart"(host)
local page = host.library "page"(host, chart)
local numbers = host.library "study_numbers"()

local names = database.open(path, database, false):tables()
local name = names.calibration and "calibrate" or names.study and names.runs and "study"
if not name then return NO_STUDY end
local store = host.library(name .. "_store")(host).read(path)
local read = host.library(name .. "_results")(statistics)
local html = host.library(name .. "_page")(read, chart, page, numbers)(store, read.read(store))
store:close()
host.library "study_files"(host).write(out ~= "" and out or page.beside(path), html)
return 0
