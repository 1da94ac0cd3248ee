#pragma once

/// The setup of an FMU: one of the models in its library, with its settings, inputs and outputs. It is a text file
/// among the resources of the FMU.

#include <string>
#include <string_view>
#include <vector>

namespace picus::fmu {

/// The file of the setup in the folder of resources.
inline constexpr std::string_view setup_file = "picus.txt";

struct Setup {
  std::string model;                  ///< name; empty: the only one of the library
  std::vector<std::string> settings;  ///< NAME=VALUE, start values of parameters
  std::string scheme;                 ///< NAME or NAME:KEY=VALUE,...; empty: ds
  std::string step;                   ///< s; empty: that of the model
  std::string until;                  ///< s; empty: that of the model
  std::vector<std::string> inputs;    ///< loads on nodes, NAME=NODE.COMPONENT
  std::vector<std::string> outputs;   ///< names or patterns; empty: all
};

/// The setup as text, a line for each entry.
std::string setup_text(const Setup& setup);
/// Throws FileError for a text that is not a setup.
Setup read_setup(std::string_view text);

}  // namespace picus::fmu
