#pragma once

/// A model with surfaces, and the names of the contacts that its search finds.

#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface_search.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace picus {

class SurfaceSearchTest : public ::testing::Test {
 protected:
  FrameNode add(const std::string& name, const Shape& shape, const Vec3& x,
                const Mat3& R = Mat3::Identity()) {
    const FrameNode node = model.add_frame(name, {.position = x, .rotation = R});
    model.add<Surface>({.name = name, .of = shape, .on = node});
    return node;
  }
  ContactSearch& search() {
    if (!search_) {
      model.add<ContactsBetween>({.name = "s", .two_pass = two_pass, .mu = 0.3});
      search_ = model.contact_sets().back().role->make_search(model, 0);
    }
    return *search_;
  }
  std::vector<ContactKey> keys(const Configuration& q, const Configuration& end,
                               const std::vector<ContactKey>& previous = {}) {
    std::vector<ContactKey> found;
    search().find(q, end, previous, found);
    EXPECT_TRUE(std::ranges::is_sorted(found));
    EXPECT_EQ(std::ranges::adjacent_find(found), found.end());
    return found;
  }
  std::vector<std::string> names(const std::vector<ContactKey>& found) {
    std::vector<std::string> result;
    for (const ContactKey& key : found) {
      const std::string name = search().contact(key).element->name();
      result.push_back(name.substr(3));  // without "s: "
    }
    return result;
  }
  std::vector<std::string> names_at_start() {
    const Configuration& q = model.initial_configuration();
    return names(keys(q, q));
  }
  Configuration moved(const FrameNode& node, const Vec3& dx) {
    Configuration q = model.initial_configuration();
    Vector increment = Vector::Zero(model.velocity_count());
    increment.segment<3>(node.v) = dx;
    retract(model.nodes(), model.initial_configuration(), increment, q);
    return q;
  }
  double gap(const ContactKey& key, const Configuration& q) {
    const InRole<Contact> contact = search().contact(key);
    std::vector<double> g(contact.role->row_count());
    contact.role->displacement(q, q, g);
    return g[0];
  }
  bool two_pass = true;  ///< to be set before the search is made
  Model model{"m"};

 private:
  std::unique_ptr<ContactSearch> search_;
};

}  // namespace picus
