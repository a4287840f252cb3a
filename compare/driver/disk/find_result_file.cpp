#include "compare/driver/disk/find_result_file.hpp"

#include <system_error>

#include "reports/file/result_file.hpp"

namespace ladder {

fs::path result_file(const fs::path& given) {
  std::error_code unknown;  // reading it will tell
  fs::path file = fs::is_directory(given, unknown) ? reports::results_in(given) : given;
  const fs::path folder = file.parent_path();
  if (file.filename() == "results.json" && !fs::exists(file, unknown) &&
      fs::exists(folder / "journal.jsonl", unknown))
    throw reports::BadFile(
        "{}: the set is incomplete: it has the journal of a run, but no results.json; --resume "
        "writes it{}",
        folder.string(),
        fs::exists(folder / "previous", unknown) ? ", and the earlier set is in previous/" : "");
  return file;
}

}  // namespace ladder
