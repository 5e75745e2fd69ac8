-- Pages of results: report.html of a study, a calibration or tests, of the parts that runtime/report/page_results.html
-- puts together. Text is escaped here; what is HTML already is {html = ...}.
local host, chart = ...

local page = {}

local escaped, number = chart.escaped, chart.number

local function html_of(value)
  if type(value) == "table" then return value.html end
  if type(value) == "number" then return number(value) end
  return escaped(value == nil and "–" or value)
end

local sections = 0

function page.section(title, ...)
  sections = sections + 1
  return ('<section aria-labelledby="part-%d">\n<h2 id="part-%d">%s</h2>\n%s\n</section>'):format(sections, sections,
    escaped(title), table.concat({ ... }, "\n"))
end

function page.note(text) return ('<p class="note">%s</p>'):format(escaped(text)) end

-- A list of rows, the first cell of each its name.
function page.table(heads, rows, class)
  local lines = { ('<table%s><thead><tr>'):format(class and (' class="%s"'):format(class) or "") }
  for _, head in ipairs(heads) do lines[#lines + 1] = ('<th scope="col">%s</th>'):format(html_of(head)) end
  lines[#lines + 1] = "</tr></thead><tbody>"
  for _, row in ipairs(rows) do
    lines[#lines + 1] = "<tr>"
    for i = 1, #heads do
      lines[#lines + 1] = (i == 1 and '<th scope="row">%s</th>' or "<td>%s</td>"):format(html_of(row[i]))
    end
    lines[#lines + 1] = "</tr>"
  end
  lines[#lines + 1] = "</tbody></table>"
  return table.concat(lines)
end

-- A table as wide as the page.
function page.wide(...) return '<div class="scroll">' .. page.table(...) .. "</div>" end

-- Names and values, without heads.
function page.facts(list)
  local lines = { '<div class="scroll"><table class="facts"><tbody>' }
  for _, fact in ipairs(list) do
    if fact[2] ~= nil then
      lines[#lines + 1] = ('<tr><th scope="row">%s</th><td>%s</td></tr>'):format(escaped(fact[1]), html_of(fact[2]))
    end
  end
  return table.concat(lines) .. "</tbody></table></div>"
end

function page.details(summary, ...)
  return ("<details><summary>%s</summary>%s</details>"):format(escaped(summary), table.concat({ ... }, "\n"))
end

-- A chart with its title, and below it a note (or nil) and a table of its values: heads and rows.
function page.figure(title, svg, note, heads, rows)
  return ("<figure><figcaption>%s</figcaption>%s%s%s</figure>"):format(escaped(title), svg,
    note and page.note(note) or "", heads and page.details("Values", page.table(heads, rows)) or "")
end

function page.grid(parts) return '<div class="grid">\n' .. table.concat(parts, "\n") .. "\n</div>" end

function page.command(text) return ("<pre><code>%s</code></pre>"):format(escaped(text)) end

-- A PNG, which has its title itself.
function page.picture(title, base64)
  return ('<figure><img alt="%s" src="data:image/png;base64,%s"></figure>'):format(escaped(title), base64)
end

-- The page: its name, a line below, tiles of {name, value}, and sections.
function page.made(name, subtitle, tiles, parts)
  local list = {}
  for i, tile in ipairs(tiles) do
    list[i] = ("<div><dt>%s</dt><dd>%s</dd></div>"):format(escaped(tile[1]), html_of(tile[2]))
  end
  return host.results_page(escaped(name), escaped(subtitle), table.concat(list), table.concat(parts, "\n"))
end

-- A word of a command line, in quotes where it needs them.
function page.word(text)
  text = tostring(text)
  return text:find "[^%w%./_:=,+@%%-]" and "'" .. text:gsub("'", "'\\''") .. "'" or text
end

-- Where `throng ... --report` writes: beside that file.
function page.beside(path) return (path:match "^(.*/)" or "") .. "report.html" end

return page
