#include "result_file.hpp"

#include "reader_process.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>

namespace picus::program {
namespace {

using results::Attribute;
using results::Hdf5Handle;

constexpr std::size_t longest_row = 50'000'000;  // numbers

}  // namespace

ResultFile::ResultFile(const std::filesystem::path& path) : file_(path, "cannot read file \"{}\": {}") {
  if (!results::read_attribute(file_.open("").id(), "picus_version"))
    file_.refuse("it is not a result of Picus");
}

TextEntries ResultFile::attributes(const std::string& object) const {
  TextEntries entries;
  const Hdf5Handle opened = file_.open(object);
  for (const std::string& name : file_.attribute_names(object)) {
    const std::optional<Attribute> attribute = results::read_attribute(opened.id(), name);
    entries.emplace_back(name, attribute ? attribute->text : "(damaged)");
  }
  return entries;
}

std::string ResultFile::attribute(const std::string& object, const std::string& name,
                                  const std::string& otherwise) const {
  const Hdf5Handle opened = file_.open(object);
  const std::optional<Attribute> attribute =
      opened ? results::read_attribute(opened.id(), name) : std::nullopt;
  return attribute ? attribute->text : otherwise;
}

ResultFile::DataSet ResultFile::describe(const std::string& name) const {
  const Hdf5Handle opened = file_.open(name);
  const auto text = [&](const char* attribute) {
    const std::optional<Attribute> found = results::read_attribute(opened.id(), attribute);
    return found ? found->text : std::string();
  };
  if (!opened) file_.refuse(fmt::format("{} is damaged", name));
  results::ForeignFile::DataSet about = file_.describe(opened);
  return {name,
          std::move(about.shape),
          text("unit"),
          text("description"),
          about.is_numeric,
          about.is_virtual,
          about.unreadable};
}

ResultFile::Content ResultFile::content() const {
  results::ForeignFile::Objects objects = file_.objects();
  Content content{std::move(objects.groups), {}, objects.is_complete};
  for (const std::string& name : objects.data_sets) content.data_sets.push_back(describe(name));
  const auto by_name = [](const DataSet& a, const DataSet& b) { return a.name < b.name; };
  std::sort(content.data_sets.begin(), content.data_sets.end(), by_name);
  std::sort(content.groups.begin(), content.groups.end());
  return content;
}

void ResultFile::for_each_row(const DataSet& set,
                              const std::function<void(std::span<const double>)>& use) const {
  if (!set.unreadable.empty()) file_.refuse(fmt::format("of its data set {}: {}", set.name, set.unreadable));
  const Hdf5Handle opened = file_.open(set.name);
  const std::vector<hsize_t> shape = results::shape_of(opened.id());
  if (shape.empty() || !set.is_numeric) return;
  std::size_t width = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) {
    width *= shape[i];
    if (width > longest_row) file_.refuse(fmt::format("the rows of its data set {} are too long", set.name));
  }
  if (width == 0) return;

  const Hdf5Handle space(H5Dget_space(opened.id()));
  const hsize_t most_rows = std::max<hsize_t>(1, 1'000'000 / width);
  std::vector<double> numbers;
  for (hsize_t row = 0; row < shape[0]; row += most_rows) {
    std::vector<hsize_t> start(shape.size(), 0);
    std::vector<hsize_t> count = shape;
    start[0] = row;
    count[0] = std::min(most_rows, shape[0] - row);
    H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    const Hdf5Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr));
    numbers.resize(count[0] * width);
    if (H5Dread(opened.id(), H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT, numbers.data()) < 0) {
      file_.refuse(fmt::format("its data set {} is damaged", set.name));
    }
    for (std::size_t i = 0; i < numbers.size(); i += width) use(std::span(numbers).subspan(i, width));
  }
}

void check_result_file(const std::filesystem::path& path, bool with_numbers) {
  read_apart(path, [&] {
    const ResultFile file(path);
    const ResultFile::Content content = file.content();
    file.attributes("");
    for (const std::string& group : content.groups) file.attributes(group);
    for (const ResultFile::DataSet& set : content.data_sets) {
      file.attributes(set.name);
      if (with_numbers && set.unreadable.empty() && !set.is_virtual)
        file.for_each_row(set, [](std::span<const double>) {});
    }
    return std::string();
  });
}

}  // namespace picus::program
