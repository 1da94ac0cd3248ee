#include <picus/error.hpp>
#include <picus/solvers/analyses/matrix_market.hpp>

#include <cholmod.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <string>

namespace picus {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& reason) {
  throw FileError(fmt::format("cannot read file \"{}\": {}", path.string(), reason));
}

/// The header says what the file holds; CHOLMOD would take a pattern for a matrix with values of its own choice.
void check_header(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    fail(path, std::filesystem::exists(path, error) ? "it is no regular file" : "there is no such file");
  }
  std::ifstream stream(path);
  std::string line;
  if (!std::getline(stream, line)) fail(path, "it is empty or not readable");
  std::transform(line.begin(), line.end(), line.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (!line.starts_with("%%matrixmarket")) fail(path, "its first line does not begin with %%MatrixMarket");
  const auto has = [&](std::string_view word) { return line.find(word) != std::string::npos; };
  if (!has("coordinate")) fail(path, "it is not in coordinate format");
  if (has("pattern") || has("complex")) fail(path, "it holds no real or integer numbers");
  if (has("skew") || has("hermitian")) fail(path, "it is neither general nor symmetric");
}

/// CHOLMOD's workspace, and what it has allocated.
class Reader {
 public:
  Reader() {
    cholmod_start(&common_);
    common_.print = 0;
  }
  ~Reader() {
    cholmod_free_triplet(&triplet_, &common_);
    cholmod_finish(&common_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  const cholmod_triplet* read(std::FILE* file) { return triplet_ = cholmod_read_triplet(file, &common_); }
  bool is_too_large() const {
    return common_.status == CHOLMOD_OUT_OF_MEMORY || common_.status == CHOLMOD_TOO_LARGE;
  }

 private:
  cholmod_common common_{};
  cholmod_triplet* triplet_ = nullptr;
};

}  // namespace

MatrixEntries read_matrix_market(const std::filesystem::path& path) {
  check_header(path);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "r"), &std::fclose);
  if (!file) fail(path, std::strerror(errno));
  Reader reader;
  const cholmod_triplet* triplet = reader.read(file.get());
  if (triplet == nullptr && reader.is_too_large()) fail(path, "the matrix is too large");
  if (triplet == nullptr || triplet->xtype != CHOLMOD_REAL)
    fail(path, "a line is damaged, or there are fewer than its header says");
  MatrixEntries result{.rows = static_cast<Index>(triplet->nrow),
                       .columns = static_cast<Index>(triplet->ncol)};
  const auto* row = static_cast<const int*>(triplet->i);
  const auto* column = static_cast<const int*>(triplet->j);
  const auto* value = static_cast<const double*>(triplet->x);
  result.entries.reserve(triplet->stype == 0 ? triplet->nnz : 2 * triplet->nnz);
  for (std::size_t k = 0; k < triplet->nnz; ++k) {
    result.entries.push_back({row[k], column[k], value[k]});
    if (triplet->stype != 0 && row[k] != column[k]) result.entries.push_back({column[k], row[k], value[k]});
  }
  return result;
}

}  // namespace picus
