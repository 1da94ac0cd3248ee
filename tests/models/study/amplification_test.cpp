#include <picus/models/references/amplification_exact.hpp>
#include <picus/models/study/amplification.hpp>
#include <support/dense_algebra.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace picus::models::amplification_test {
namespace {

constexpr double rounding = 256 * std::numeric_limits<double>::epsilon();

/// Coefficients c_1, c_2, ... of the characteristic polynomial x^n + c_1 x^(n-1) + ... (Faddeev and LeVerrier).
Eigen::VectorXd characteristic(const Eigen::MatrixXd& A, Eigen::Index count) {
  Eigen::VectorXd c = Eigen::VectorXd::Zero(count);
  Eigen::MatrixXd M = Eigen::MatrixXd::Identity(A.rows(), A.cols());
  for (Eigen::Index k = 1; k <= A.rows(); ++k) {
    const Eigen::MatrixXd product = A * M;
    c[k - 1] = -product.trace() / static_cast<double>(k);
    M = product + c[k - 1] * Eigen::MatrixXd::Identity(A.rows(), A.cols());
  }
  return c;
}

struct Case {
  std::string scheme;
  double largest = 1e3;  ///< h / T
};

const std::vector<Case>& cases() {
  // Explicit schemes exceed the representable range for large steps: their matrices grow with (h / T)^4.
  static const std::vector<Case> all = {{"ds"},
                                        {"dsn"},
                                        {"ds-np"},
                                        {"ds-a"},
                                        {"cs"},
                                        {"chen"},
                                        {"newmark-implicit"},
                                        {"newmark-implicit:gamma=0.5,beta=0.25"},
                                        {"newmark-implicit:gamma=0.7,beta=0.35"},
                                        {"newmark"},
                                        {"newmark:gamma=0.6"},
                                        {"newmark:gamma=0.9,beta=0.49"},
                                        {"hht"},
                                        {"hht:alpha=0"},
                                        {"hht:alpha=0.3"},
                                        {"moreau-jean:dissipates=yes"},
                                        {"moreau-jean:dissipates=yes,theta=0.7"},
                                        {"moreau-jean"},
                                        {"moreau-jean:theta=0.5"},
                                        {"moreau-jean:theta=0.7"},
                                        {"schatzman-paoli"},
                                        {"schatzman-paoli:theta=1"},
                                        {"schatzman-paoli:theta=0", 2.0},
                                        {"mixed"},
                                        {"mixed:base=bathe"},
                                        {"mixed:base=ed-alpha"},
                                        {"mixed:base=ed-alpha,alpha=0.8"},
                                        {"mixed:base=moreau-midpoint", 2.0},
                                        {"mixed:base=half-explicit", 2.0}};
  return all;
}

/// The scheme with several values of rho_inf, if it has that option.
std::vector<std::string> with_radii(const std::string& scheme) {
  const TextEntries options = make_integrator(scheme)->options();
  if (std::ranges::find(options, "rho_inf", &TextEntries::value_type::first) == options.end())
    return {scheme};
  std::vector<std::string> texts;
  for (const char* rho_inf : {"0", "0.3", "0.8", "1"})
    texts.push_back(with_option(scheme, "rho_inf", rho_inf));
  return texts;
}

TEST(Amplification, OfEverySchemeIsThatOfItsFormula) {
  for (const auto& [name, largest] : cases()) {
    for (const std::string& scheme : with_radii(name)) {
      for (double ratio = 1e-2; ratio <= largest; ratio *= 3) {
        SCOPED_TRACE(scheme + ", h / T = " + std::to_string(ratio));
        const Eigen::MatrixXd found = amplification_matrix(scheme, ratio);
        const auto formula = exact::amplification_matrix(scheme, 2 * std::numbers::pi * ratio);
        ASSERT_TRUE(formula);
        const Eigen::MatrixXd exact = balanced(*formula);

        // c_k is a sum of minors of order k. A step rounds the entries of the matrix by `rounding` of its size: 128
        // eps is the largest observed, with the two coupled stages of ed-alpha, 30 eps with all others.
        const Eigen::Index count = std::max(found.rows(), exact.rows());
        const double size = std::max(found.norm(), exact.norm());
        const Eigen::VectorXd difference = characteristic(found, count) - characteristic(exact, count);
        for (Eigen::Index k = 0; k < count; ++k) {
          EXPECT_LE(std::abs(difference[k]),
                    rounding * std::pow(std::max(size, 1.0), static_cast<double>(k + 1)))
              << k;
        }

        // Elsner's bound for the distance of eigenvalues of matrices with that difference.
        const auto a = amplification_of(found, ratio);
        const auto b = amplification_of(exact, ratio);
        const auto n = static_cast<double>(count);
        EXPECT_NEAR(a.spectral_radius, b.spectral_radius,
                    std::pow(2 * size, 1 - 1 / n) * std::pow(rounding * size, 1 / n));
      }
    }
  }
}

TEST(Amplification, PeriodErrorsAreThoseOfTheFormulas) {
  // Where principal eigenvalues are simple, their arguments are exact to rounding over their distance, 2 sin(angle).
  for (const auto& [name, largest] : cases()) {
    for (const std::string& scheme : with_radii(name)) {
      for (const double ratio : {0.01, 0.05, 0.1, 0.2, 0.3}) {
        const auto found = amplification_of(amplification_matrix(scheme, ratio), ratio);
        const auto exact =
            amplification_of(*exact::amplification_matrix(scheme, 2 * std::numbers::pi * ratio), ratio);
        EXPECT_EQ(found.period_error.has_value(), exact.period_error.has_value()) << scheme;
        EXPECT_NEAR(found.period_error.value_or(0), exact.period_error.value_or(0), 1e-11)
            << scheme << ' ' << ratio;
      }
    }
  }
}

TEST(Amplification, TheMemoryOfASchemeIsComplete) {
  // Two steps of the integrator are the square of one: all that a step carries over is in z.
  for (const auto& [scheme, largest] : cases()) {
    const double ratio = 0.3;
    const Eigen::MatrixXd one = amplification_matrix(scheme, ratio);
    const Eigen::MatrixXd two = amplification_matrix(scheme, ratio, 2);
    const Eigen::Index count = std::max(one.rows(), two.rows());
    EXPECT_LE((characteristic(one * one, count) - characteristic(two, count)).norm(), 1e-13 * one.norm())
        << scheme;
  }
}

Eigen::Index rank(std::string_view scheme) {
  const Eigen::MatrixXd matrix = amplification_matrix(scheme, 0.3);
  const Eigen::VectorXd values = support::singular_values(matrix);
  return (values.array() > 1e-12 * values[0]).count();
}

TEST(Amplification, TheRankIsTheNumberOfStepsInPosition) {
  // Generalized-alpha carries an auxiliary acceleration, the others only position and velocity.
  for (const char* scheme : {"ds", "cs", "chen", "mixed", "hht:alpha=0.3"})
    EXPECT_EQ(rank(scheme), 3) << scheme;
  for (const char* scheme :
       {"moreau-jean:theta=0.7", "newmark-implicit", "schatzman-paoli", "mixed:base=bathe",
        "mixed:base=ed-alpha", "mixed:base=moreau-midpoint", "mixed:base=half-explicit"}) {
    EXPECT_EQ(rank(scheme), 2) << scheme;
  }
}

TEST(Amplification, EverySchemeIsAmongTheCases) {
  for (const Scheme& scheme : schemes()) {
    EXPECT_TRUE(std::ranges::any_of(cases(), [&](const Case& one) {
      return scheme_name(one.scheme) == scheme.name;
    })) << scheme.name;
  }
}

TEST(Amplification, ASpectrumHasTheValuesOfItsMatrices) {
  const std::vector<double> ratios = {0.01, 0.1, 10.0};
  const Spectrum spectrum = find_spectrum("ds:rho_inf=0.5", ratios);
  ASSERT_EQ(spectrum.spectral_radius.size(), 3U);
  ASSERT_EQ(spectrum.exact_period_error.size(), 3U);
  EXPECT_EQ(spectrum.h_over_period, ratios);
  EXPECT_NEAR(spectrum.spectral_radius[2], 0.5, 0.1);
  EXPECT_NEAR(spectrum.period_error[0], spectrum.exact_period_error[0], 1e-12);
  EXPECT_THROW(find_spectrum("dss", ratios), OptionError);
}

TEST(Amplification, BalancingKeepsEigenvaluesAndDropsWhatIsNotUsed) {
  Eigen::MatrixXd matrix(3, 3);
  matrix << 0, 1e6, 5, -1e-6, 0, 7, 0, 0, 0;  // the third component is not carried over
  const Eigen::MatrixXd result = balanced(matrix);
  ASSERT_EQ(result.rows(), 2);
  EXPECT_NEAR(amplification_of(result, 0.25).spectral_radius, 1, 1e-15);
  EXPECT_NEAR(amplification_of(result, 0.25).period_error.value(), 0, 1e-15);
  EXPECT_LE(result.norm(), 4);
}

}  // namespace
}  // namespace picus::models::amplification_test
