#!/bin/sh
# The arrows between the folders: holds every #include of the tree to the table of folders in
# CONTRIBUTING.md.
#
# arrows.sh <source folder>
#
# A file belongs to the longest folder of the table that it lies in. It may include its own folder,
# and what the last column of its row names: a file, or a folder, which stands for the files that
# belong to that row. <operation> is the second part of the path of the file that includes.
set -eu

cd "$1"
grep -rHoE '^ *# *include "[^"]+"' compare handwritten reports vendor --include='*.hpp' --include='*.cpp' --include='*.cu' |
  awk '
    # The words between backquotes of a cell of the table; <operation> stands for the one of `path`.
    function words(cell, path, into, parts, found, i) {
      split(path, parts, "/")
      gsub(/<operation>/, parts[2], cell)
      found = split(cell, parts, "`")
      delete into
      for (i = 2; i <= found; i += 2) into[parts[i]]
    }
    # The folder that a file belongs to; `row` becomes the number of its row.
    function folder_of(path, longest, names, name, k) {
      longest = ""
      for (k = 1; k <= rows; ++k) {
        words(folders[k], path, names)
        for (name in names)
          if (index(path, name) == 1 && length(name) > length(longest)) {
            longest = name
            row = k
          }
      }
      return longest
    }
    function may_include(from, to, own, its, names) {
      its = folder_of(to)
      own = folder_of(from)
      words(arrows[row], from, names)
      return its == own || its in names || to in names || arrows[row] ~ /anything/
    }

    FILENAME == "CONTRIBUTING.md" {
      if (split($0, column, " *[|] *") == 5 && column[2] ~ /^`.*\/`/) {
        folders[++rows] = column[2]
        arrows[rows] = column[4]
      }
      next
    }
    {
      ++includes
      split($0, part, "\"")
      from = substr($0, 1, index($0, ":") - 1)
      if (folder_of(from) == "") complaint = complaint "  " from " is in no folder of the table\n"
      else if (!may_include(from, part[2])) complaint = complaint "  " from " includes " part[2] "\n"
    }
    END {
      if (rows == 0 || includes == 0) complaint = "  there is no table, or no include\n"
      if (complaint == "") exit 0
      printf "against the table of folders in CONTRIBUTING.md:\n%s", complaint
      exit 1
    }
  ' CONTRIBUTING.md -
