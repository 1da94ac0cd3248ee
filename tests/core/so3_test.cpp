#include <picus/error.hpp>
#include <picus/so3.hpp>

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace picus::so3::so3_test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double pi = std::numbers::pi;

std::vector<double> angles() {
  return {0,   1e-300, 1e-160, 1e-154, 1e-12,     1e-8,      1.9e-8,    1.9e-7,     1e-6, 1e-4,
          0.1, 1e-2,   1,      3,      pi - 1e-3, pi - 1e-6, pi - 1e-8, pi - 1e-12, pi};
}

Vec3 random_vector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random);
  const double y = normal(random);
  return {x, y, normal(random)};
}

/// The axes in both directions and random directions times the listed angles; random vectors of angles up to pi.
std::vector<Vec3> vectors() {
  std::mt19937 random(3);
  std::vector<Vec3> directions;
  for (int i = 0; i < 3; ++i) {
    directions.emplace_back(Vec3::Unit(i));
    directions.emplace_back(-Vec3::Unit(i));
  }
  for (int i = 0; i < 20; ++i) directions.emplace_back(random_vector(random).normalized());
  std::vector<Vec3> result;
  for (const double angle : angles()) {
    for (const Vec3& direction : directions) result.emplace_back(angle * direction);
  }
  std::uniform_real_distribution<double> angle(0, pi);
  for (int i = 0; i < 2000; ++i) {
    const double a = angle(random);
    result.emplace_back(a * random_vector(random).normalized());
  }
  return result;
}

/// The same, plus angles up to 6.2, beyond pi.
std::vector<Vec3> long_vectors() {
  std::vector<Vec3> result = vectors();
  std::mt19937 random(4);
  for (double a = 0.05; a < 6.2; a += 0.05) result.emplace_back(a * random_vector(random).normalized());
  return result;
}

double error(const Mat3& a, const Mat3& b) {
  return (a - b).cwiseAbs().maxCoeff();
}
double orthogonality(const Mat3& R) {
  return error(R.transpose() * R, Mat3::Identity());
}
double norm(const Mat3& a) {
  return a.cwiseAbs().maxCoeff();
}

/// Derivative of a function at 0 by central differences of order 8 with step 1/32. Truncation: step^8/630
/// = 1.4e-15 times the ninth derivative, which is below 20 (T^-1 at pi, from its pole at 2 pi).
/// Rounding: 2.1/step = 67 times the error of the values.
constexpr double difference_tolerance = 400 * eps;
Vec3 derivative(const std::function<Vec3(double)>& f) {
  const double h = 1.0 / 32;
  const std::array<double, 4> weight = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  Vec3 result = Vec3::Zero();
  for (int k = 4; k > 0; --k) result += weight[k - 1] * (f(k * h) - f(-k * h));
  return result / h;
}

TEST(So3, SkewIsTheCrossProduct) {
  std::mt19937 random(5);
  for (int i = 0; i < 100; ++i) {
    const Vec3 a = random_vector(random);
    const Vec3 b = random_vector(random);
    EXPECT_LE((skew(a) * b - a.cross(b)).norm(), 4 * eps * a.norm() * b.norm());
    EXPECT_EQ(skew(a).transpose(), -skew(a));
  }
}

TEST(So3, ExpIsARotation) {
  for (const Vec3& psi : long_vectors()) {
    // For a quaternion too long by d, exp is non-orthogonal by 8 sin^2(a/2) d; d is about eps times |psi|^2 and sin.
    const double tolerance = eps * (2 + 12 * std::pow(std::sin(psi.norm() / 2), 2));
    EXPECT_LE(orthogonality(so3::exp(psi)), tolerance) << psi.norm();
    EXPECT_NEAR(so3::exp(psi).determinant(), 1, 1.5 * tolerance) << psi.norm();
  }
}

TEST(So3, ExpAndTangentOfTheOppositeVectorAreTheExactTransposes) {
  for (const Vec3& psi : long_vectors()) {
    EXPECT_EQ(so3::exp(-psi), so3::exp(psi).transpose());
    EXPECT_EQ(tangent(-psi), tangent(psi).transpose());
    EXPECT_EQ(tangent_inverse(-psi), tangent_inverse(psi).transpose());
  }
}

TEST(So3, ExpKeepsTheAxisAndComposesAlongIt) {
  for (const Vec3& psi : long_vectors()) {
    EXPECT_LE((so3::exp(psi) * psi - psi).norm(), 6 * eps * psi.norm());
    EXPECT_LE(error(so3::exp(psi / 4) * so3::exp(psi * 3 / 4), so3::exp(psi)), 10 * eps);
  }
}

TEST(So3, LogOfExpIsTheVector) {
  for (const Vec3& psi : vectors()) {
    const Vec3 back = so3::log(so3::exp(psi));
    // Within rounding of pi the two opposite vectors are the same rotation.
    const bool opposite = pi - psi.norm() < 4 * eps && back.dot(psi) < 0;
    // Relative to the angle: the quaternion is well conditioned everywhere. The angle from the trace would
    // lose eps/sin a, that is all digits at both ends.
    EXPECT_LE((back - (opposite ? -psi : psi)).norm(), 4 * eps * psi.norm()) << psi.norm();
    EXPECT_LE(back.norm(), pi * (1 + 2 * eps));
  }
}

TEST(So3, ExpOfLogIsTheRotation) {
  std::vector<Mat3> rotations = {Mat3::Identity()};
  for (const Vec3& psi : long_vectors()) rotations.emplace_back(so3::exp(psi));
  std::mt19937 random(6);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 n = random_vector(random).normalized();
    rotations.emplace_back(2 * n * n.transpose() - Mat3::Identity());  // exactly pi
    rotations.emplace_back(rotations.back() * so3::exp(1e-9 * random_vector(random)));
  }
  for (int i = 0; i < 3; ++i)
    rotations.emplace_back(2 * Vec3::Unit(i) * Vec3::Unit(i).transpose() - Mat3::Identity());
  for (const Mat3& R : rotations)
    EXPECT_LE(error(so3::exp(so3::log(R)), R), 10 * eps);  // R itself has an error of several eps
}

TEST(So3, TangentTurnsLikeTheExponential) {
  for (const Vec3& psi : long_vectors()) {
    const Mat3 back = so3::exp(psi).transpose();
    for (int i = 0; i < 3; ++i) {
      const Vec3 turned =
          derivative([&](double t) { return so3::log(back * so3::exp(psi + t * Vec3::Unit(i))); });
      EXPECT_LE((tangent(psi).col(i) - turned).norm(), difference_tolerance) << psi.norm();
    }
  }
}

TEST(So3, TangentDerivativesMatchDifferences) {
  std::mt19937 random(8);
  for (const Vec3& psi : vectors()) {
    const Vec3 b = random_vector(random).normalized();
    for (int i = 0; i < 3; ++i) {
      const Vec3 e = Vec3::Unit(i);
      const Vec3 direct = derivative([&](double t) -> Vec3 { return tangent(psi + t * e) * b; });
      EXPECT_LE((tangent_derivative(psi, b).col(i) - direct).norm(), difference_tolerance);
      const Vec3 inverse = derivative([&](double t) -> Vec3 { return tangent_inverse(psi + t * e) * b; });
      EXPECT_LE((tangent_inverse_derivative(psi, b).col(i) - inverse).norm(), difference_tolerance);
    }
  }
}

TEST(So3, TangentTimesItsInverseIsTheIdentity) {
  for (const Vec3& psi : long_vectors()) {
    const double tolerance = 6 * eps * norm(tangent_inverse(psi));  // grows as 1/(2 pi - a)
    EXPECT_LE(error(tangent(psi) * tangent_inverse(psi), Mat3::Identity()), tolerance) << psi.norm();
  }
}

TEST(So3, ExpTimesTangentIsTheTransposedTangent) {
  for (const Vec3& psi : long_vectors()) {
    EXPECT_LE(error(so3::exp(psi) * tangent(psi), tangent(psi).transpose()), 8 * eps);
  }
}

TEST(So3, TangentDerivativeSatisfiesTheStructureEquation) {
  // Second derivatives of exp commute: d(T c) b - d(T b) c = -(T b) x (T c).
  std::mt19937 random(9);
  for (const Vec3& psi : long_vectors()) {
    const Vec3 b = random_vector(random).normalized();
    const Vec3 c = random_vector(random).normalized();
    const Mat3 T = tangent(psi);
    const Vec3 left = tangent_derivative(psi, c) * b - tangent_derivative(psi, b) * c;
    EXPECT_LE((left + (T * b).cross(T * c)).norm(), 16 * eps) << psi.norm();  // some ten products of order 1
  }
}

TEST(So3, InverseTangentDerivativeFollowsFromTheProductRule) {
  // d(T^-1 b) = -T^-1 d(T c) at c = T^-1 b.
  std::mt19937 random(10);
  for (const Vec3& psi : long_vectors()) {
    const Vec3 b = random_vector(random).normalized();
    const Mat3 inverse = tangent_inverse(psi);
    const Mat3 expected = -inverse * tangent_derivative(psi, inverse * b);
    const double tolerance =
        8 * eps * std::pow(std::max(1.0, norm(inverse)), 3);  // the pole is of second order
    EXPECT_LE(error(tangent_inverse_derivative(psi, b), expected), tolerance) << psi.norm();
  }
}

TEST(So3, QuaternionAndRotationAreInverse) {
  std::mt19937 random(11);
  for (int i = 0; i < 2000; ++i) {
    Eigen::Vector4d q;
    q << random_vector(random), random_vector(random).x();
    if (i % 2 == 0) q[i / 2 % 4] *= 1e-9;  // half a turn (w = 0) and axes in coordinate planes
    if (i % 3 == 0) q[i / 3 % 4] *= 1e9;   // each of the four components as the largest by far
    q *= (q[0] < 0 ? -1 : 1) / q.norm();
    const Eigen::Vector4d back = quaternion(rotation(q));
    EXPECT_GE(back[0], 0);
    EXPECT_NEAR(back.norm(), 1, 2 * eps);
    const double sign = q[0] < eps && back.dot(q) < 0 ? -1 : 1;
    EXPECT_LE((sign * back - q).norm(), 4 * eps);
    EXPECT_LE(orthogonality(rotation(q)), 8 * eps);  // entries round at up to 2 eps
    EXPECT_LE(error(rotation(q), Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix()), 8 * eps);
  }
}

TEST(So3, RotationNormalisesAQuaternionOfAnySize) {
  const Eigen::Vector4d q(0.5, -0.25, 1, 0.75);
  for (const double scale :
       {0x1p-1070, 0x1p-600, 0.5, -1.0, 0x1p600, 0x1p1023}) {  // exact, to 2 bits if subnormal
    EXPECT_EQ(rotation(scale * q), rotation(q)) << scale;
  }
}

TEST(So3, RotationRejectsAQuaternionWithoutDirection) {
  const auto message = [](double w, double x) -> std::string {
    try {
      rotation({w, x, 0, 0});
    } catch (const ModelError& error) {
      return error.what();
    }
    return "nothing thrown";
  };
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message(0, 0), "quaternion (0, 0, 0, 0) has no direction, must be finite and not zero");
  EXPECT_EQ(message(1, inf), "quaternion (1, inf, 0, 0) has no direction, must be finite and not zero");
  EXPECT_EQ(message(std::numeric_limits<double>::quiet_NaN(), 1),
            "quaternion (nan, 1, 0, 0) has no direction, must be finite and not zero");
}

TEST(So3, OrthonormalizedReturnsTheNearestRotation) {
  std::mt19937 random(12);
  for (const Vec3& psi : vectors()) {
    Mat3 defect;
    for (int i = 0; i < 3; ++i) defect.col(i) = random_vector(random);
    const Mat3 R = so3::exp(psi) + 1e-8 / defect.norm() * defect;
    EXPECT_GT(orthogonality(R), 1e-11);
    EXPECT_LE(orthogonality(orthonormalized(R)), 1e-15);  // 3/4 (2e-8)^2 = 3e-16 plus rounding
    const Eigen::JacobiSVD<Mat3> svd(R, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Mat3 nearest = svd.matrixU() * svd.matrixV().transpose();
    EXPECT_LE(error(orthonormalized(R), nearest), 12 * eps);                   // mostly of the decomposition
    EXPECT_LE(error(orthonormalized(so3::exp(psi)), so3::exp(psi)), 7 * eps);  // half its defect
  }
}

}  // namespace
}  // namespace picus::so3::so3_test
