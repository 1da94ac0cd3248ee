#include <picus/error.hpp>
#include <picus/reduced_basis_file.hpp>
#include <support/message.hpp>
#include <support/reduced.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

namespace picus::reduced_basis_file_test {
namespace {

using support::message_of;
using support::ScratchFolder;

void expect_equal(const std::vector<ReducedPoint>& a, const std::vector<ReducedPoint>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].kind, b[i].kind);
    EXPECT_EQ(a[i].position, b[i].position);
    EXPECT_EQ(a[i].axes, b[i].axes);
    EXPECT_EQ(a[i].translation, b[i].translation);
    EXPECT_EQ(a[i].rotation, b[i].rotation);
    EXPECT_EQ(a[i].stiffening, b[i].stiffening);
  }
}

TEST(ReducedBasisFile, ReadsWhatWasWritten) {
  const ScratchFolder folder;
  for (const Index modes : {0, 1, 5}) {
    ReducedBasis basis = *support::random_basis(3, modes);
    basis.largest_spin = modes == 1 ? 12.5 : std::numeric_limits<double>::infinity();
    basis.has_spin_stiffening = modes == 5;
    if (modes == 1) basis.largest_force = 3.5;
    if (modes == 5) basis.largest_moment = 0.25;
    basis.accuracy.frequencies = Vector::LinSpaced(modes, 1, 2);
    basis.accuracy.static_error = 0.25;
    const auto path = folder / ("basis" + std::to_string(modes) + ".h5");
    write_reduced_basis(path, basis);
    const ReducedBasis read = read_reduced_basis(path);
    EXPECT_EQ(read.name, basis.name);
    EXPECT_EQ(read.mass, basis.mass);
    EXPECT_EQ(read.first_moment, basis.first_moment);
    EXPECT_EQ(read.N, basis.N);
    EXPECT_EQ(read.inertia, basis.inertia);
    EXPECT_EQ(read.inertia_1, basis.inertia_1);
    EXPECT_EQ(read.inertia_2, basis.inertia_2);
    EXPECT_EQ(read.L, basis.L);
    EXPECT_EQ(read.L_1, basis.L_1);
    EXPECT_EQ(read.modal_mass, basis.modal_mass);
    EXPECT_EQ(read.stiffness, basis.stiffness);
    EXPECT_EQ(read.damping, basis.damping);
    EXPECT_EQ(read.largest_spin, basis.largest_spin);
    EXPECT_EQ(read.has_spin_stiffening, basis.has_spin_stiffening);
    EXPECT_EQ(read.largest_force, basis.largest_force);
    EXPECT_EQ(read.largest_moment, basis.largest_moment);
    EXPECT_EQ(read.accuracy.frequencies, basis.accuracy.frequencies);
    EXPECT_EQ(read.accuracy.static_error, 0.25);
    expect_equal(read.interfaces, basis.interfaces);
    expect_equal(read.nodes, basis.nodes);
  }
}

TEST(ReducedBasisFile, SaysWhatIsWrong) {
  const ScratchFolder folder;
  const auto path = folder / "basis.h5";
  const ReducedBasis basis = *support::random_basis(3, 2);
  write_reduced_basis(path, basis);
  EXPECT_THAT(message_of<FileError>([&] { write_reduced_basis(path, basis); }),
              testing::HasSubstr("basis.h5"));
  EXPECT_NO_THROW(write_reduced_basis(path, basis, true));
  EXPECT_THAT(message_of<FileError>([&] { read_reduced_basis(folder / "missing.h5"); }),
              testing::StartsWith("cannot read file"));
  std::ofstream(folder / "text.h5") << "no HDF5";
  EXPECT_THAT(message_of<FileError>([&] { read_reduced_basis(folder / "text.h5"); }),
              testing::StartsWith("cannot read file"));
  ReducedBasis spoilt = basis;
  spoilt.mass = -1;
  EXPECT_EQ(message_of<ModelError>([&] { write_reduced_basis(folder / "spoilt.h5", spoilt); }),
            "reduced basis \"random\": mass is -1 kg, must be positive");
  EXPECT_FALSE(std::filesystem::exists(folder / "spoilt.h5"));
  ReducedBasis two_lines = basis;
  two_lines.nodes[0].name = "a\nb";
  EXPECT_THAT(message_of<ModelError>([&] { write_reduced_basis(folder / "lines.h5", two_lines); }),
              testing::HasSubstr("has two lines"));
}

}  // namespace
}  // namespace picus::reduced_basis_file_test
