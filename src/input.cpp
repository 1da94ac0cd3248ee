#include <picus/archive.hpp>
#include <picus/input.hpp>

namespace picus {

void Input::set(double value, double time) const {
  data_->integral += data_->value * (time - data_->since);
  data_->since = time;
  data_->value = value;
}

PrescribedMotion Input::speed() const {
  return {
      .displacement = [data = data_](double t) { return data->integral + data->value * (t - data->since); },
      .rate = [data = data_](double /*t*/) { return data->value; },
      .acceleration = [](double /*t*/) { return 0.0; }};
}

void Input::serialize(Archive& archive) const {
  archive.in_place(data_->value, data_->since, data_->integral);
}

}  // namespace picus
