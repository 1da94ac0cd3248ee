#include <picus/error.hpp>
#include <picus/mass_matrix.hpp>
#include <picus/so3.hpp>
#include <picus/solvers/analyses/lanczos.hpp>
#include <picus/solvers/analyses/option_check.hpp>
#include <picus/solvers/analyses/orthogonal_shapes.hpp>
#include <picus/solvers/analyses/reduction_shapes.hpp>
#include <picus/solvers/analyses/reduction_stiffening.hpp>
#include <picus/solvers/analyses/shape_damping.hpp>
#include <picus/solvers/linear/dense_algebra.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace picus {
namespace {

using namespace solvers;

/// Eigenvalues below this fraction of the lowest natural one are rigid motions.
constexpr double rigid_fraction = 1e-5;

State state_at_rest(const System& system) {
  State state;
  state.q = system.model().initial_configuration();
  state.v = state.acceleration = state.auxiliary = state.reaction = Vector::Zero(system.velocity_count());
  state.constraint_force = state.constraint_impulse = Vector::Zero(system.row_count());
  return state;
}

/// The part: its matrices, interfaces and frame, and shapes in various stages.
class Reduction {
 public:
  Reduction(const Model& part, const ReductionOptions& options)
      : options_(options),
        system_(part),
        is_planar_(is_restricted_to_plane(system_)),
        interfaces_(find_interfaces(system_, options.interfaces)),
        problem_(system_, state_at_rest(system_), false, std::nullopt, LinearSolverKind::automatic),
        mass_(system_) {
    const std::vector<Index> possible = find_free_motions(system_);
    // Free in space, or in a plane to which all nodes are restricted; a rotation about a point is a mechanism.
    is_clamped_ = possible.size() != 6 && !(possible.size() == 3 && is_planar_);
    if (!is_clamped_) free_motions_ = possible;
    find_frame();
    check_loaded_nodes();
    if (is_free_in_mean_axes()) find_rigid_motions();
  }

  ReducedBasis run() {
    Eigen::MatrixXd shapes = find_shapes();
    const Vector eigenvalues = find_modes(shapes);
    return make_basis(shapes, eigenvalues);
  }

 private:
  Index size() const { return problem_.size(); }
  bool is_free_in_mean_axes() const { return !is_clamped_ && frame_ < 0; }
  std::string name() const { return system_.model().name(); }
  /// Origin of the frame, in the coordinates of the part.
  Vec3 origin() const { return frame_ >= 0 ? interfaces_[frame_].position : Vec3::Zero(); }

  void find_frame() {
    if (options_.frame.empty()) return;
    std::vector<std::string> names;
    for (Index i = 0; i < count_of(interfaces_); ++i) {
      names.push_back(interfaces_[i].name);
      if (interfaces_[i].name == options_.frame) frame_ = i;
    }
    if (frame_ < 0) {
      throw OptionError(fmt::format("frame is \"{}\", which is no interface{}", options_.frame,
                                    suggestion(options_.frame, names)));
    }
    if (is_clamped_) {
      throw OptionError(fmt::format("frame is \"{}\", but \"{}\" is fixed to its ground, which is its frame",
                                    options_.frame, name()));
    }
    if (interfaces_[frame_].kind == NodeKind::point)
      throw OptionError(fmt::format("frame is \"{}\", a single point without a rotation", options_.frame));
  }

  void check_loaded_nodes() const {
    const Model& model = system_.model();
    for (const Node& node : options_.loaded_nodes) {
      model.require_node(node, fmt::format("\"{}\"", name()), "loaded_nodes");
      if (node.kind == NodeKind::scalar)
        throw ModelError(
            fmt::format("\"{}\": loaded node \"{}\" is a scalar node, must be a frame or a point", name(),
                        model.node_name(node)));
    }
  }

  Index rigid_count() const { return count_of(free_motions_); }

  /// Columns: unit translations and rotations about the origin, as far as they are free; and M times them.
  void find_rigid_motions() {
    const Eigen::MatrixXd all = rigid_motions(system_);
    rigid_.resize(size(), rigid_count());
    for (Index k = 0; k < rigid_count(); ++k) rigid_.col(k) = in_free_layout(all.col(free_motions_[k]));
    rigid_momentum_ = times_mass(rigid_);
    const std::optional<Eigen::MatrixXd> inverse =
        inverse_of_positive_definite(transpose_product(rigid_, rigid_momentum_));
    if (!inverse)
      throw ModelError(fmt::format("\"{}\" has no mass, or all of it on a line: it is no body", name()));
    inverse_rigid_mass_ = *inverse;
  }

  Eigen::MatrixXd times_mass(const Eigen::MatrixXd& x) const {
    Eigen::MatrixXd Mx(x.rows(), x.cols());
    Vector column;
    for (Index k = 0; k < x.cols(); ++k) {
      problem_.multiply_mass(x.col(k), column);
      Mx.col(k) = column;
    }
    return Mx;
  }
  Eigen::MatrixXd times_stiffness(const Eigen::MatrixXd& x) const {
    Eigen::MatrixXd Kx(x.rows(), x.cols());
    Vector column;
    for (Index k = 0; k < x.cols(); ++k) {
      problem_.multiply_stiffness(x.col(k), column);
      Kx.col(k) = column;
    }
    return Kx;
  }
  void remove_rigid_motion(Eigen::Ref<Eigen::MatrixXd> x) const {
    x -= product(rigid_, product(inverse_rigid_mass_, transpose_product(rigid_momentum_, x)));
  }

  /// The row in terms of free components.
  BorderRow in_unknowns(const BorderRow& row) const {
    BorderRow result;
    for (const auto& [dof, value] : row) {
      if (system_.free_index()[dof] >= 0) result.emplace_back(system_.free_index()[dof], value);
    }
    return result;
  }

  /// Places of the displacements of tied interfaces among the further unknowns, and their number.
  std::vector<Index> first_further() const {
    std::vector<Index> first;
    Index count = 0;
    for (const PartInterface& one : interfaces_) {
      first.push_back(count);
      if (one.is_tied) count += one.size();
    }
    first.push_back(count);
    return first;
  }

  /// K - s M with tied nodes, and with the displacements of these interfaces given (last rows, in their order).
  BorderedStiffness bordered(const std::vector<const PartInterface*>& held, double shift) const {
    const std::vector<Index> first = first_further();
    std::vector<BorderRow> rows;
    for (std::size_t i = 0; i < interfaces_.size(); ++i) {
      for (const PartInterface::Tie& tie : interfaces_[i].ties) {
        rows.push_back(in_unknowns(tie.components));
        for (const auto& [displacement, value] : tie.displacements)
          rows.back().emplace_back(size() + first[i] + displacement, value);
      }
    }
    for (const PartInterface* one : held) {
      for (const Index a : one->movable) {
        if (one->is_tied) {
          rows.push_back({{size() + first[one - interfaces_.data()] + a, 1.0}});
        } else {
          rows.push_back(in_unknowns(one->fit[a]));
        }
      }
    }
    return {problem_, first.back(), rows, shift};
  }

  /// Unit displacements of the interfaces, then vibrations with all of them fixed; or free vibrations.
  Eigen::MatrixXd find_shapes() {
    std::vector<const PartInterface*> held;
    Index unit = 0;
    for (const PartInterface& one : interfaces_) {
      held.push_back(&one);
      unit += count_of(one.movable);
    }
    const bool is_whole_body = held.empty() && !is_clamped_;
    const Index rigid = is_whole_body ? rigid_count() : 0;
    // A free body is singular without a shift; its size is that of a typical stiffness over mass.
    const double shift = is_whole_body ? -1e-3 * problem_.typical_eigenvalue() : 0.0;
    BorderedStiffness stiffness = bordered(held, shift);
    std::vector<Vector> columns;
    Index first = 0;
    for (Index i = 0; i < count_of(interfaces_); ++i) {
      for (std::size_t a = 0; a < interfaces_[i].movable.size(); ++a, ++first) {
        if (i == frame_ || !options_.interface_shapes) continue;
        Vector p = Vector::Zero(stiffness.row_count());
        p[stiffness.row_count() - unit + first] = 1.0;
        columns.push_back(stiffness.solve({}, {}, p));
      }
    }
    if (options_.modes + rigid > 0) {
      const LanczosResult modes = vibrations(stiffness, options_.modes + rigid, shift);
      if (modes.eigenvalues.size() < rigid)
        throw SolverError(fmt::format("\"{}\" has no vibrations", name()));
      for (Index k = 0; k < modes.eigenvalues.size(); ++k) columns.push_back(modes.vectors.col(k));
    }
    add_given(columns);
    Eigen::MatrixXd shapes(size(), count_of(columns));
    for (Index k = 0; k < count_of(columns); ++k) shapes.col(k) = columns[k];
    return shapes;
  }

  void add_given(std::vector<Vector>& columns) const {
    Eigen::MatrixXd given = given_shapes(system_, interfaces_, options_.shapes);
    if (frame_ >= 0) hold_interface(system_, interfaces_[frame_], given);
    for (Index k = 0; k < given.cols(); ++k) columns.push_back(in_free_layout(given.col(k)));
    if (options_.interface_shapes || interfaces_.empty() || !is_free_in_mean_axes()) return;
    // The rigid motions are added for mean axes, which remove them later from the span of all shapes.
    for (Index k = 0; k < rigid_count(); ++k) columns.push_back(rigid_.col(k));
  }

  LanczosResult vibrations(BorderedStiffness& stiffness, Index count, double shift) const {
    LanczosResult found = solve_lanczos(
        size(), count, shift, [&](const Vector& b, Vector& x) { x = stiffness.solve(b, {}, {}); },
        [&](const Vector& x, Vector& out) { problem_.multiply_mass(x, out); });
    // One more inverse iteration removes the contribution of the null space of M.
    for (Index k = 0; k < found.eigenvalues.size(); ++k) {
      Vector Mx;
      problem_.multiply_mass(found.vectors.col(k), Mx);
      found.vectors.col(k) = stiffness.solve(Mx, {}, {});
    }
    return found;
  }

  /// Replaces the shapes by combinations that are orthogonal in K and M and have unit modal masses, ascending; those of a
  /// free body without its six rigid motions. Returns the eigenvalues, 1/s2.
  Vector find_modes(Eigen::MatrixXd& shapes) const {
    Vector eigenvalues = orthogonalize(shapes, times_mass(shapes), times_stiffness(shapes), name());
    const Index rigid = is_free_in_mean_axes() ? rigid_count() : 0;
    const double natural = eigenvalues.size() > rigid ? eigenvalues[rigid] : 0.0;
    if (eigenvalues.size() < rigid ||
        (rigid > 0 && natural > 0 &&
         eigenvalues.head(rigid).cwiseAbs().maxCoeff() > rigid_fraction * natural))
      throw SolverError(
          fmt::format("\"{}\" does not have {} rigid motions: is it tied to something?", name(), rigid));
    if (eigenvalues.size() > rigid && !(natural > 0))
      throw SolverError(
          fmt::format("\"{}\" is a mechanism or buckled: its lowest w^2 is {:.3g} 1/s2", name(), natural));
    if (rigid > 0) {
      const Index elastic = columns_of(shapes) - rigid;
      shapes = shapes.rightCols(elastic).eval();
      eigenvalues = eigenvalues.tail(elastic).eval();
      remove_rigid_motion(shapes);
    }
    return eigenvalues;
  }

  Eigen::MatrixXd in_natural_layout(const Eigen::MatrixXd& free) const {
    Eigen::MatrixXd natural = Eigen::MatrixXd::Zero(system_.velocity_count(), free.cols());
    for (Index i = 0; i < size(); ++i) natural.row(system_.free_dofs()[i]) = free.row(i);
    return natural;
  }
  Vector in_free_layout(const Vector& natural) const {
    Vector free(size());
    for (Index i = 0; i < size(); ++i) free[i] = natural[system_.free_dofs()[i]];
    return free;
  }

  ReducedBasis make_basis(const Eigen::MatrixXd& shapes, const Vector& eigenvalues) {
    const Eigen::MatrixXd natural = in_natural_layout(shapes);
    const Configuration& q = system_.model().initial_configuration();
    ReducedShapes data;
    data.name = name();
    data.size = system_.velocity_count();
    for (const Node& node : system_.nodes()) {
      if (node.kind == NodeKind::scalar) continue;
      ReducedPoint point{.name = system_.model().node_name(node),
                         .kind = node.kind,
                         .position = q.position(node) - origin(),
                         .translation = natural.middleRows(node.v, 3)};
      if (node.kind == NodeKind::frame) {
        point.axes = q.rotation(node);
        point.rotation = natural.middleRows(node.v + 3, 3);
      }
      data.nodes.push_back(point);
      data.first_row.push_back(node.v);
    }
    mass_.assemble(q);
    const SparseMatrix& M = mass_.matrix();
    for (Index c = 0; c < M.size; ++c) {
      for (Index k = M.column_start[c]; k < M.column_start[c + 1]; ++k)
        data.mass.push_back({M.row[k], c, M.values[k]});
    }
    ReducedBasis basis = make_reduced_basis(data);
    const auto m = count_of(eigenvalues);
    if (is_free_in_mean_axes()) {  // zero up to rounding
      basis.N.setZero();
      basis.L.setZero();
    }
    basis.modal_mass = Eigen::MatrixXd::Identity(m, m);  // scalar nodes of the part included
    basis.stiffness = eigenvalues.asDiagonal();
    basis.damping =
        options_.damping_ratio
            ? Eigen::MatrixXd((2.0 * *options_.damping_ratio * eigenvalues.cwiseSqrt()).asDiagonal())
            : project_damping(system_, natural, eigenvalues);
    for (const PartInterface& one : interfaces_) {
      const Eigen::MatrixXd moved = one.displacements(natural);
      ReducedPoint point{.name = one.name,
                         .kind = one.kind,
                         .position = one.position - origin(),
                         .translation = moved.topRows(3)};
      if (one.kind == NodeKind::frame) point.rotation = moved.bottomRows(3);
      if (&one - interfaces_.data() == frame_) {  // zero up to rounding
        point.translation.setZero();
        point.rotation.setZero();
      }
      basis.interfaces.push_back(point);
    }
    stiffen(basis, natural);
    check_accuracy(basis, shapes, eigenvalues);
    basis.check();
    return basis;
  }

  /// Interfaces that are fixed while static responses are computed: the frame, or the support of a free body.
  std::vector<const PartInterface*> supports() {
    if (frame_ >= 0) return {&interfaces_[frame_]};
    if (is_clamped_) return {};
    for (const PartInterface& one : interfaces_) {
      if (one.kind == NodeKind::frame) return {&one};
    }
    support_ = find_support(system_);
    return {&*support_};
  }

  /// Forces of a free body are balanced by its inertia, and its displacement has no rigid part.
  Vector relieved(Vector f) const {
    if (is_free_in_mean_axes())
      f -= product(rigid_momentum_, product(inverse_rigid_mass_, transpose_product(rigid_, f)));
    return f;
  }

  void stiffen(ReducedBasis& basis, const Eigen::MatrixXd& natural) {
    const bool is_loaded = options_.interface_stiffening || !options_.loaded_nodes.empty();
    if (basis.mode_count() > 0 && (options_.spin_stiffening || is_loaded)) {
      BorderedStiffness stiffness = bordered(supports(), 0.0);
      const auto respond = [&](const Vector& force) -> StaticResponse {
        const Vector applied = in_free_layout(force), balanced = relieved(applied);
        Vector u = stiffness.solve(balanced, {}, {}), elastic;
        problem_.multiply_stiffness(u, elastic);
        const Vector nodal = elastic + applied - balanced;
        const double work = u.dot(elastic);
        if (is_free_in_mean_axes()) remove_rigid_motion(u);
        return {in_natural_layout(u), in_natural_layout(nodal), work};
      };
      add_stiffening(basis,
                     {system_, mass_.matrix(), interfaces_, frame_, options_.loaded_nodes, natural, respond},
                     options_.spin_stiffening, options_.interface_stiffening);
    }
    limit_loads(basis, is_free_in_mean_axes());
    basis.largest_spin = options_.largest_spin.value_or(basis.largest_spin);
    basis.largest_force = options_.largest_force.value_or(basis.largest_force);
    basis.largest_moment = options_.largest_moment.value_or(basis.largest_moment);
  }

  void check_accuracy(ReducedBasis& basis, const Eigen::MatrixXd& shapes, const Vector& eigenvalues) {
    ReductionAccuracy& accuracy = basis.accuracy;
    const auto to_hertz = [](const Vector& w2) -> Vector {
      return w2.cwiseMax(0.0).cwiseSqrt() / (2 * std::numbers::pi);
    };
    accuracy.frequencies = to_hertz(eigenvalues);
    const auto m = count_of(eigenvalues);
    accuracy.effective_masses = Eigen::Matrix3Xd::Zero(3, m);
    if (!is_free_in_mean_axes()) accuracy.effective_masses = basis.N.cwiseAbs2();
    if (m == 0) return;
    const Index rigid = is_free_in_mean_axes() ? rigid_count() : 0;
    const Index checked = std::min<Index>(options_.checked_frequencies, m);
    if (checked > 0) {
      const double shift = rigid > 0 ? -0.5 * eigenvalues[0] : 0.0;
      BorderedStiffness stiffness =
          bordered(frame_ >= 0 ? std::vector<const PartInterface*>{&interfaces_[frame_]}
                               : std::vector<const PartInterface*>{},
                   shift);
      // The iteration finds all but one of them at most.
      const Index wanted = std::min<Index>(checked + rigid, size() - 1);
      Vector found = wanted > rigid ? vibrations(stiffness, wanted, shift).eigenvalues : Vector();
      std::sort(found.begin(), found.end());
      accuracy.full_frequencies = to_hertz(found.tail(std::max<Index>(0, count_of(found) - rigid)));
    }
    check_statics(accuracy, shapes, eigenvalues);
  }

  void check_statics(ReductionAccuracy& accuracy, const Eigen::MatrixXd& shapes, const Vector& eigenvalues) {
    if (interfaces_.empty()) return;
    BorderedStiffness stiffness = bordered(supports(), 0.0);
    const std::vector<Index> first = first_further();
    for (Index i = 0; i < count_of(interfaces_); ++i) {
      if (i == frame_) continue;
      const PartInterface& one = interfaces_[i];
      const Eigen::MatrixXd reduced_shapes = one.displacements(in_natural_layout(shapes));
      for (const Index a : one.movable) {
        // A unit force on the interface: on its nodes, as distributed by the fit, which does the same work.
        Vector force = Vector::Zero(size());
        for (const auto& [dof, value] : in_unknowns(one.fit[a])) force[dof] += value;
        Vector u = stiffness.solve(relieved(force), {}, {});
        if (is_free_in_mean_axes()) remove_rigid_motion(u);
        const double full = one.displacements(in_natural_layout(u))(a, 0);
        const double reduced = reduced_shapes.row(a).cwiseAbs2().dot(eigenvalues.cwiseInverse().transpose());
        if (full > 0)
          accuracy.static_error = std::max(accuracy.static_error, std::abs(reduced - full) / full);
      }
    }
  }

  const ReductionOptions& options_;
  System system_;
  bool is_planar_;                   ///< all nodes are restricted to the x-y plane
  std::vector<Index> free_motions_;  ///< of the six rigid motions of a free part
  std::vector<PartInterface> interfaces_;
  ModalProblem problem_;
  MassMatrix mass_;
  bool is_clamped_ = false;
  Index frame_ = -1;  ///< the interface that is the frame
  std::optional<PartInterface> support_;
  Eigen::MatrixXd rigid_, rigid_momentum_, inverse_rigid_mass_;
};

void check_options(const ReductionOptions& o) {
  check_option(o.modes >= 0, "modes", o.modes, "not negative");
  check_option(o.checked_frequencies >= 0, "checked-frequencies", o.checked_frequencies, "not negative");
  if (o.damping_ratio)
    check_option(*o.damping_ratio >= 0 && std::isfinite(*o.damping_ratio), "damping-ratio", *o.damping_ratio,
                 "not negative");
  if (o.largest_spin) check_option(*o.largest_spin > 0, "largest-spin", *o.largest_spin, "positive");
  if (o.largest_force) check_option(*o.largest_force > 0, "largest-force", *o.largest_force, "positive");
  if (o.largest_moment) check_option(*o.largest_moment > 0, "largest-moment", *o.largest_moment, "positive");
}

}  // namespace

ReducedBasis reduce(const Model& part, const ReductionOptions& options) {
  check_options(options);
  if (!part.contacts().empty() || !part.contact_sets().empty())
    throw ModelError(fmt::format("\"{}\" has contacts, which cannot be reduced: add them to the reduced body",
                                 part.name()));
  return Reduction(part, options).run();
}

}  // namespace picus
