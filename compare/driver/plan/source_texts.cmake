# Writes OUTPUT, which defines source_texts(): the files named in LIST, a line each, as they are in
# the folder SOURCE.
file(STRINGS ${LIST} paths)
set(entries "")
foreach(path IN LISTS paths)
  file(READ ${SOURCE}/${path} text)
  string(APPEND entries
    "    {\"${path}\"sv,\nR\"source_text(${text})source_text\"sv},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"compare/driver/plan/source_texts.hpp\"

using namespace std::string_view_literals;

static constexpr ladder::reports::EmbeddedFile texts[]{
${entries}};

std::span<const ladder::reports::EmbeddedFile> ladder::source_texts() {
  return texts;
}
")
