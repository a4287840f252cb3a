#include "compare/driver/disk/find_result_file.hpp"

#include <system_error>

#include "reports/file/result_file.hpp"

namespace ladder {

fs::path result_file(fs::path given) {
  std::error_code unknown;  // reading it will tell
  const bool is_latest = given.empty();
  if (is_latest) given = from_here(latest_set());
  fs::path file =
      is_latest || fs::is_directory(given, unknown) ? reports::results_in(given) : given;
  const fs::path folder = file.parent_path();
  if (file.filename() == "results.json" && !fs::exists(file, unknown) &&
      fs::exists(folder / "journal.jsonl", unknown))
    throw reports::BadFile(
        "{}: the set is incomplete: it has the journal of a run, but no results.json; --resume "
        "writes it{}",
        folder.string(),
        fs::exists(folder / "previous", unknown) ? ", and the earlier set is in previous/" : "");
  if (is_latest && !fs::exists(file, unknown))
    throw reports::BadFile("there is no result set in {}; ./ladder makes one", given.string());
  return file;
}

}  // namespace ladder
