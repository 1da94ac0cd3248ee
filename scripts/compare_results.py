"""Several results beside each other: what tells them apart, and a panel for each of their components."""

import os

from new_file import Refusal
from picus_results import printable
from result_panels import Panel

MOST_SETTINGS = 3  # in a label; where more differ, the name of the file says it shorter


def model_of(run):
    return run.title.removeprefix("Picus: ")


def settings_of(run):
    """What was run and how, as texts by name: the parameters of the model, the scheme, its step and its options."""
    settings = dict(run.parameters)
    settings["scheme"] = str(run.attributes.get("integrator", ""))
    step = run.attributes.get("step")
    if run.time_unit == "s" and isinstance(step, float):
        settings["h"] = f"{step:g} s"
    for name, value in run.integrator.items():
        settings.setdefault(name, value)
    return settings


def names_of_files(paths):
    """The paths less their endings and the folders that they have in common."""
    stems = [os.path.splitext(os.path.normpath(path))[0] for path in paths]
    if len(set(stems)) < len(stems):  # "a.h5" beside "a.hdf5"
        stems = list(paths)
    split = [stem.split(os.sep) for stem in stems]
    common = 0
    while all(len(parts) > common + 1 for parts in split) and len({parts[common] for parts in split}) == 1:
        common += 1
    return [os.sep.join(parts[common:]) for parts in split]


def labels_of(runs):
    """A printable one for each run: by the settings in which they differ, if these are few and tell all apart, otherwise by its file."""
    labels = [printable(name) for name in names_of_files([run.path for run in runs])]
    if len({model_of(run) for run in runs}) == 1:
        every = [settings_of(run) for run in runs]
        names = list(dict.fromkeys(name for settings in every for name in settings))
        differing = [name for name in names if len({settings.get(name) for settings in every}) > 1]
        texts = ["\n".join(printable(f"{name} = {settings.get(name, '-')}") for name in differing) for settings in every]
        if len(differing) <= MOST_SETTINGS and len(set(texts)) == len(texts):
            labels = texts
    return [label if run.outcome == "complete" else f"{label} (incomplete)" for label, run in zip(labels, runs)]


def check_axes(runs):
    """Refuses results over different things, such as times and frequencies."""
    first = runs[0]
    for run in runs[1:]:
        if run.time_unit != first.time_unit:
            raise Refusal(f"{first.path} is over {first.time_name}, {run.path} over {run.time_name}: they have no axis in common")


def panels_of(runs, quantities_of, cut):
    """A panel for each component that any run has, with a curve for each that has it, cut as asked."""
    check_axes(runs)
    panels = {}
    for run, label in zip(runs, labels_of(runs)):
        for part in (part for quantity in quantities_of(run) for part in quantity.components()):
            leaf = part.name.rpartition("/")[2]
            panel = panels.setdefault(part.name, Panel(leaf, part.unit, part.name if "/" in part.name else ""))
            if panel.unit != part.unit:
                raise Refusal(f"{part.name} is in {printable(part.unit)} in {run.path} and in {printable(panel.unit)} in a file before it")
            panel.components.append(cut(run, part))
            panel.names.append(label)
    curves = [panel for panel in panels.values() if not panel.is_state]
    for panel in curves[1:]:
        panel.has_legend = panel.names != curves[0].names
    return list(panels.values())


def title_of(runs):
    """What the runs have in common: the model, the scheme and the step."""
    every = [settings_of(run) for run in runs]

    def common(name, before=""):
        values = {settings.get(name) for settings in every}
        return [before + value for value in values if value] if len(values) == 1 else []
    models = ", ".join(dict.fromkeys(model_of(run) for run in runs))
    return ", ".join([models, *common("scheme"), *common("h", "h = ")]) + f": {len(runs)} results"
